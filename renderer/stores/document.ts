// One component in the editor: its text as typed, saved to the server a moment later.
import { computed, reactive, ref, type Ref } from 'vue'
import { fetchComponent, fetchKnown } from '../api/components.ts'
import { discardDraft, saveDraft } from '../api/drafts.ts'
import { ApiError, isNotFound, messageOf } from '../api/request.ts'
import type { ComponentDetail, ComponentId, ComponentType, Finding } from '../api/wire.ts'
import { whenBackupOwnerKnown } from './local-backup.ts'
import { mergeDrafts } from './merge-drafts.ts'
import { createTextParser } from './text-parser.ts'
import { unsavedText } from './unsaved-text.ts'
import { setAt, type Path } from '../text/minimal-edit.ts'

export type DraftSaveState = 'kept' | 'typing' | 'keeping' | 'waiting' | 'conflict'

const pause = 500
const mostSteps = 200
const retryAfter = 4000

/** What a document reports to others. */
export interface DocumentEvents {
  /** A draft was saved or discarded. */
  onSaved(at: Date): void
  /** The text now also contains what a different user typed in the meantime. */
  onMerged(author: string): void
}

/** A draft that another user saved while this one was being typed; a text of null removes the component. */
export interface ConflictingDraft {
  author: string
  text: string | null
  version: number
}

export type Document = ReturnType<typeof openDocument>

/** Opens the editor's state of one component and starts loading it. While `locked`, it cannot be edited. */
export function openDocument(
  id: ComponentId,
  type: ComponentType,
  key: string,
  { events, locked }: { events: DocumentEvents; locked: Ref<boolean> },
) {
  const detail = ref<ComponentDetail | null>(null) as Ref<ComponentDetail | null>
  const status = ref<'loading' | 'ready' | 'missing' | 'failed'>('loading')
  /** Whether the component or its draft was ever read here; otherwise it may never have existed. */
  const existed = ref(false)
  const failure = ref('')
  const text = ref('')
  const activeText = ref<string | null>(null)
  const removed = ref(false)
  const version = ref(0)
  const findings = ref<Finding[]>([]) as Ref<Finding[]>
  const saveState = ref<DraftSaveState>('kept')
  const theirs = ref<ConflictingDraft | null>(null)
  /** The server's content at `version`, if it is known here: the base of mine and theirs. */
  const seen = ref('')
  const baseMoved = ref(false)
  /**
   * The texts since an editor last received them, so that undo has every step; not reactive, because nothing shows
   * them.
   */
  let trail: string[] = []
  const unsaved = unsavedText(id)
  let timer = 0
  let running: Promise<void> = Promise.resolve()

  const reading = createTextParser()
  /** Whether the digest differs from the active one, as the server reports; while it is being typed, the text. */
  const changed = computed(
    () =>
      removed.value ||
      (saveState.value === 'kept' && detail.value !== null
        ? detail.value.draft !== null || activeText.value === null
        : text.value !== (activeText.value ?? '')),
  )
  /** Digest of the active component that the text has in a different layout, so that it stays as typed. */
  let saysSame: string | null = null

  async function load(): Promise<void> {
    const before = version.value
    try {
      const [serverDetail] = await Promise.all([fetchComponent(type, key), whenBackupOwnerKnown()])
      // What was typed or saved in the meantime is newer than this response.
      if (saveState.value === 'kept' && version.value === before) loadDetail(serverDetail)
    } catch (error) {
      const gone = isNotFound(error)
      // Earlier content stays visible, and is read again at the next event.
      if (status.value === 'ready' && !gone) return
      status.value = gone ? 'missing' : 'failed'
      failure.value = messageOf(error)
    }
  }

  function loadDetail(serverDetail: ComponentDetail): void {
    detail.value = serverDetail
    activeText.value = serverDetail.digest === null ? null : serverDetail.text
    version.value = serverDetail.draft?.version ?? 0
    removed.value = serverDetail.draft !== null && serverDetail.draft.text === null
    const asTyped =
      serverDetail.draft === null && serverDetail.digest !== null && serverDetail.digest === saysSame
    const nextText = asTyped ? text.value : (serverDetail.draft?.text ?? serverDetail.text ?? '')
    if (nextText !== text.value) {
      show(serverDetail.text ?? '')
      reading.beginText()
      show(nextText)
      if (status.value === 'loading') trail = [nextText]
    }
    baseMoved.value = serverDetail.draft !== null && serverDetail.draft.baseDigest !== serverDetail.digest
    status.value = 'ready'
    existed.value = true
    seen.value = serverDetail.draft === null ? (serverDetail.text ?? '') : (serverDetail.draft.text ?? '')
    const backup = unsaved.read()
    if (backup === null || backup.text === text.value) return
    const overtaken = backup.version !== version.value && backup.base !== seen.value
    if (overtaken) seen.value = backup.base
    reading.beginText()
    setText(backup.text)
    if (overtaken) mergeTheirs(serverDetail)
  }

  /** Reads the server's state again, unless typed text is waiting. */
  async function refresh(): Promise<void> {
    if (saveState.value !== 'kept') return
    if (status.value === 'missing' && (await fetchKnown([id])).size === 0) return
    await load()
  }

  /** Begins a component that does not exist yet. */
  function begin(first: string): void {
    status.value = 'ready'
    existed.value = true
    activeText.value = null
    setText(first)
  }

  /** `read` determines when its content is shown. */
  function setText(next: string, read = reading.now): void {
    if (locked.value || (next === text.value && !removed.value)) return
    show(next, read)
    removed.value = false
    saysSame = null
    unsaved.keep({ text: next, base: seen.value, version: version.value })
    schedule(pause)
  }

  /** Sets the text while it is being typed. */
  const typeText = (next: string): void => setText(next, reading.afterKey)

  function show(next: string, read = reading.now): void {
    text.value = next
    trail = [...trail, next].slice(-mostSteps)
    read(next)
  }

  /** Returns the texts since the last call, the oldest first. */
  function takePastTexts(): string[] {
    const taken = trail
    trail = []
    return taken
  }

  /** Sets one value of the text; a text that is not valid JSON stays unchanged. */
  function setPath(path: Path, to: unknown): void {
    setPaths([{ path, value: to }])
  }

  /** Sets several values as one change to the text. */
  function setPaths(changes: readonly { path: Path; value: unknown }[]): void {
    setText(changes.reduce((from, { path, value }) => setAt(from, path, value), text.value))
  }

  function schedule(after: number): void {
    if (saveState.value === 'conflict') return
    saveState.value = 'typing'
    window.clearTimeout(timer)
    timer = window.setTimeout(() => void save(), after)
  }

  /** Saves what is typed, now. Sends only one request at a time, so that versions are consecutive. */
  function save(keepalive = false): Promise<void> {
    window.clearTimeout(timer)
    running = running.then(() => saveOnce(keepalive))
    return running
  }

  async function saveOnce(keepalive: boolean): Promise<void> {
    if (saveState.value === 'kept' || saveState.value === 'conflict') return
    const submittedText = removed.value ? null : text.value
    saveState.value = 'keeping'
    try {
      const savedDraft = await saveDraft(id, submittedText, version.value, keepalive)
      version.value = savedDraft.unchanged ? 0 : savedDraft.version
      findings.value = savedDraft.findings ?? []
      if (detail.value !== null)
        detail.value = { ...detail.value, draft: savedDraft.unchanged ? null : savedDraft }
      saysSame = savedDraft.unchanged && submittedText === text.value ? (detail.value?.digest ?? null) : null
      handleSaved(submittedText)
    } catch (error) {
      await handleSaveError(error)
    }
  }

  function handleSaved(submittedText: string | null): void {
    const more = submittedText !== (removed.value ? null : text.value)
    saveState.value = more ? 'typing' : 'kept'
    failure.value = ''
    if (more) schedule(pause)
    else unsaved.drop()
    seen.value = submittedText ?? ''
    events.onSaved(new Date())
  }

  async function handleSaveError(error: unknown): Promise<void> {
    failure.value = messageOf(error)
    if (error instanceof ApiError && error.status === 409) {
      const found = await fetchComponent(type, key).catch(() => null)
      if (found !== null) return mergeTheirs(found)
    }
    saveState.value = 'waiting'
    window.clearTimeout(timer)
    timer = window.setTimeout(() => schedule(0), retryAfter)
  }

  /** Another user has saved this draft in the meantime: both texts are merged, or the user chooses. */
  function mergeTheirs(serverDetail: ComponentDetail): void {
    const draft = serverDetail.draft
    const other = draft === null ? serverDetail.text : draft.text
    const joined =
      removed.value || other === null
        ? null
        : mergeDrafts(type, { base: seen.value, theirs: other, mine: text.value })
    const author = draft?.author ?? 'another user'
    if (joined === null) {
      window.clearTimeout(timer)
      theirs.value = { author, text: other, version: draft?.version ?? 0 }
      saveState.value = 'conflict'
      return
    }
    detail.value = serverDetail
    activeText.value = serverDetail.digest === null ? null : serverDetail.text
    version.value = draft?.version ?? 0
    seen.value = other ?? ''
    show(joined)
    unsaved.keep({ text: joined, base: seen.value, version: version.value })
    events.onMerged(author)
    schedule(0)
  }

  /** Ends a conflict: my text, or the chosen parts of both, is saved over theirs; or theirs replaces mine. */
  async function settle(choice: 'mine' | 'theirs' | { text: string }): Promise<void> {
    version.value = theirs.value?.version ?? 0
    saveState.value = 'typing'
    if (choice === 'mine') return save()
    if (choice === 'theirs') {
      saveState.value = 'kept'
      unsaved.drop()
      return load()
    }
    show(choice.text)
    return save()
  }

  function remove(): Promise<void> {
    removed.value = true
    saveState.value = 'typing'
    return save()
  }

  async function discard(): Promise<void> {
    window.clearTimeout(timer)
    await running
    if (version.value > 0) await discardDraft(id)
    unsaved.drop()
    saveState.value = 'kept'
    findings.value = []
    if (activeText.value === null) markMissing()
    else await load()
    events.onSaved(new Date())
  }

  /** What was only a draft no longer exists. */
  function markMissing(): void {
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
    existed,
    failure,
    text,
    activeText,
    removed,
    locked,
    version,
    findings,
    saveState,
    theirs,
    seen,
    baseMoved,
    fault: reading.fault,
    unreadable: reading.unreadable,
    value: reading.value,
    body: reading.body,
    changed,
    load,
    refresh,
    begin,
    typeText,
    setPath,
    setPaths,
    takePastTexts,
    save,
    settle,
    remove,
    discard,
  })
}
