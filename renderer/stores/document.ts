// One component in the editor: its text as typed, kept on the server a moment later (studio: "Nothing lost").
import { computed, reactive, ref, type Ref } from 'vue'
import { fetchComponent, fetchKnown } from '../api/components.ts'
import { discardDraft, keepDraft } from '../api/drafts.ts'
import { ApiError, messageOf } from '../api/request.ts'
import type { ComponentDetail, ComponentId, ComponentType, Finding } from '../api/wire.ts'
import { copiesOwned } from './left-copies.ts'
import { joinDrafts } from './join-drafts.ts'
import { textReading } from './text-reading.ts'
import { unsavedText } from './unsaved-text.ts'
import { setAt, type Path } from '../text/minimal-edit.ts'

export type Keeping = 'kept' | 'typing' | 'keeping' | 'waiting' | 'conflict'

const pause = 500
const mostSteps = 200
const retryAfter = 4000

/** What a document tells others. */
export interface DocumentTells {
  /** A draft was kept or dropped. */
  kept(at: Date): void
  /** What somebody else typed meanwhile stands in the text too. */
  joined(author: string): void
}

/** A draft that somebody else kept while this one was being typed; a text of null removes the component. */
export interface Overtaken {
  author: string
  text: string | null
  version: number
}

export type Document = ReturnType<typeof openDocument>

/** Opens the editor's state of one component. Loading begins at once. While `locked`, no edit reaches it. */
export function openDocument(
  id: ComponentId,
  type: ComponentType,
  key: string,
  { tells, locked }: { tells: DocumentTells; locked: Ref<boolean> },
) {
  const detail = ref<ComponentDetail | null>(null) as Ref<ComponentDetail | null>
  const status = ref<'loading' | 'ready' | 'missing' | 'failed'>('loading')
  const failure = ref('')
  const text = ref('')
  const activeText = ref<string | null>(null)
  const removed = ref(false)
  const version = ref(0)
  const findings = ref<Finding[]>([]) as Ref<Finding[]>
  const keeping = ref<Keeping>('kept')
  const theirs = ref<Overtaken | null>(null)
  /** What the server has under `version`, as far as it is known here: where mine and theirs began. */
  const seen = ref('')
  const baseMoved = ref(false)
  /** Texts since an editor last had them all, so that the past has every step; plain, for nothing shows it. */
  let trail: string[] = []
  const unsaved = unsavedText(id)
  let timer = 0
  let running: Promise<void> = Promise.resolve()

  const reading = textReading()
  /** Another digest than the active one's, as the server says; while it is being typed, another text. */
  const changed = computed(
    () =>
      removed.value ||
      (keeping.value === 'kept' && detail.value !== null
        ? detail.value.draft !== null || activeText.value === null
        : text.value !== (activeText.value ?? '')),
  )
  /** Digest of the active component that the text says in other letters, so that they stay as typed. */
  let saysSame: string | null = null

  async function load(): Promise<void> {
    const before = version.value
    try {
      const [found] = await Promise.all([fetchComponent(type, key), copiesOwned()])
      // What was typed or kept meanwhile is newer than this answer.
      if (keeping.value === 'kept' && version.value === before) take(found)
    } catch (error) {
      const gone = error instanceof ApiError && error.status === 404
      // What was read before stays in sight, and is read again with the next news.
      if (status.value === 'ready' && !gone) return
      status.value = gone ? 'missing' : 'failed'
      failure.value = messageOf(error)
    }
  }

  function take(found: ComponentDetail): void {
    detail.value = found
    activeText.value = found.digest === null ? null : found.text
    version.value = found.draft?.version ?? 0
    removed.value = found.draft !== null && found.draft.text === null
    const asTyped = found.draft === null && found.digest !== null && found.digest === saysSame
    const shown = asTyped ? text.value : (found.draft?.text ?? found.text ?? '')
    if (shown !== text.value) {
      show(found.text ?? '')
      show(shown)
      if (status.value === 'loading') trail = [shown]
    }
    baseMoved.value = found.draft !== null && found.draft.baseDigest !== found.digest
    status.value = 'ready'
    seen.value = found.draft === null ? (found.text ?? '') : (found.draft.text ?? '')
    const left = unsaved.read()
    if (left === null || left.text === text.value) return
    const overtaken = left.version !== version.value && left.base !== seen.value
    if (overtaken) seen.value = left.base
    setText(left.text)
    if (overtaken) join(found)
  }

  /** Reads the server's state anew where nothing typed is waiting. */
  async function refresh(): Promise<void> {
    if (keeping.value !== 'kept') return
    if (status.value === 'missing' && (await fetchKnown([id])).size === 0) return
    await load()
  }

  /** Begins a component that is not there yet. */
  function begin(first: string): void {
    status.value = 'ready'
    activeText.value = null
    setText(first)
  }

  /** `read` says when what it says is shown. */
  function setText(next: string, read = reading.now): void {
    if (locked.value || (next === text.value && !removed.value)) return
    show(next, read)
    removed.value = false
    saysSame = null
    unsaved.keep({ text: next, base: seen.value, version: version.value })
    schedule(pause)
  }

  /** As it is being typed. */
  const typeText = (next: string): void => setText(next, reading.afterKey)

  function show(next: string, read = reading.now): void {
    text.value = next
    trail = [...trail, next].slice(-mostSteps)
    read(next)
  }

  /** The texts since this was last asked, the oldest first. */
  function takeTrail(): string[] {
    const taken = trail
    trail = []
    return taken
  }

  /** Sets one value of the text; a text with a fault stays as it is. */
  function setPath(path: Path, to: unknown): void {
    setPaths([{ path, value: to }])
  }

  /** Several values as one change of the text. */
  function setPaths(changes: readonly { path: Path; value: unknown }[]): void {
    setText(changes.reduce((from, { path, value }) => setAt(from, path, value), text.value))
  }

  function schedule(after: number): void {
    if (keeping.value === 'conflict') return
    keeping.value = 'typing'
    window.clearTimeout(timer)
    timer = window.setTimeout(() => void keep(), after)
  }

  /** Keeps what is typed, now. One keep at a time, so that versions follow one another. */
  function keep(keepalive = false): Promise<void> {
    window.clearTimeout(timer)
    running = running.then(() => keepOnce(keepalive))
    return running
  }

  async function keepOnce(keepalive: boolean): Promise<void> {
    if (keeping.value === 'kept' || keeping.value === 'conflict') return
    const sent = removed.value ? null : text.value
    keeping.value = 'keeping'
    try {
      const kept = await keepDraft(id, sent, version.value, keepalive)
      version.value = kept.unchanged ? 0 : kept.version
      findings.value = kept.findings ?? []
      if (detail.value !== null) detail.value = { ...detail.value, draft: kept.unchanged ? null : kept }
      saysSame = kept.unchanged && sent === text.value ? (detail.value?.digest ?? null) : null
      settled(sent)
    } catch (error) {
      await refused(error)
    }
  }

  function settled(sent: string | null): void {
    const more = sent !== (removed.value ? null : text.value)
    keeping.value = more ? 'typing' : 'kept'
    failure.value = ''
    if (more) schedule(pause)
    else unsaved.drop()
    seen.value = sent ?? ''
    tells.kept(new Date())
  }

  async function refused(error: unknown): Promise<void> {
    failure.value = messageOf(error)
    if (error instanceof ApiError && error.status === 409) {
      const found = await fetchComponent(type, key).catch(() => null)
      if (found !== null) return join(found)
    }
    keeping.value = 'waiting'
    window.clearTimeout(timer)
    timer = window.setTimeout(() => schedule(0), retryAfter)
  }

  /** A different user kept this draft meanwhile: what both typed is joined, or a person chooses. */
  function join(found: ComponentDetail): void {
    const draft = found.draft
    const other = draft === null ? found.text : draft.text
    const joined =
      removed.value || other === null
        ? null
        : joinDrafts(type, { base: seen.value, theirs: other, mine: text.value })
    const author = draft?.author ?? 'somebody'
    if (joined === null) {
      window.clearTimeout(timer)
      theirs.value = { author, text: other, version: draft?.version ?? 0 }
      keeping.value = 'conflict'
      return
    }
    detail.value = found
    activeText.value = found.digest === null ? null : found.text
    version.value = draft?.version ?? 0
    seen.value = other ?? ''
    show(joined)
    unsaved.keep({ text: joined, base: seen.value, version: version.value })
    tells.joined(author)
    schedule(0)
  }

  /** Ends a conflict: mine, or what was chosen of both, is kept over theirs; or theirs is taken and mine is gone. */
  async function settle(choice: 'mine' | 'theirs' | { text: string }): Promise<void> {
    version.value = theirs.value?.version ?? 0
    keeping.value = 'typing'
    if (choice === 'mine') return keep()
    if (choice === 'theirs') {
      keeping.value = 'kept'
      unsaved.drop()
      return load()
    }
    show(choice.text)
    return keep()
  }

  function remove(): Promise<void> {
    removed.value = true
    keeping.value = 'typing'
    return keep()
  }

  async function discard(): Promise<void> {
    window.clearTimeout(timer)
    await running
    if (version.value > 0) await discardDraft(id)
    unsaved.drop()
    keeping.value = 'kept'
    findings.value = []
    if (activeText.value === null) vanish()
    else await load()
    tells.kept(new Date())
  }

  /** What was a draft alone is gone with it. */
  function vanish(): void {
    status.value = 'missing'
    detail.value = null
    version.value = 0
    show('')
  }

  return reactive({
    id,
    type,
    key,
    detail,
    status,
    failure,
    text,
    activeText,
    removed,
    locked,
    version,
    findings,
    keeping,
    theirs,
    seen,
    baseMoved,
    fault: reading.fault,
    value: reading.value,
    body: reading.body,
    changed,
    load,
    refresh,
    begin,
    typeText,
    setPath,
    setPaths,
    takeTrail,
    keep,
    settle,
    remove,
    discard,
  })
}
