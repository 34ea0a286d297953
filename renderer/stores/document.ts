// One component in the editor: its text as typed, kept on the server a moment later (studio: "Nothing lost").
import { computed, reactive, ref, shallowRef, type Ref } from 'vue'
import { fetchComponent, fetchKnown } from '../api/components.ts'
import { discardDraft, keepDraft } from '../api/drafts.ts'
import { ApiError, messageOf } from '../api/request.ts'
import type {
  ComponentDetail,
  ComponentId,
  ComponentType,
  DraftRow,
  Finding,
  JsonObject,
} from '../api/wire.ts'
import { faultPlace, readLoosely, setAt, type Path } from '../text/minimal-edit.ts'

export type Keeping = 'kept' | 'typing' | 'keeping' | 'waiting' | 'conflict'

const pause = 500
const retryAfter = 4000

/** What the store tells others: a draft was kept or dropped at a moment. */
export type OnKept = (at: Date) => void

export type Document = ReturnType<typeof openDocument>

/** Opens the editor's state of one component. Loading begins at once. */
export function openDocument(id: ComponentId, type: ComponentType, key: string, onKept: OnKept) {
  const detail = ref<ComponentDetail | null>(null) as Ref<ComponentDetail | null>
  const status = ref<'loading' | 'ready' | 'missing' | 'failed'>('loading')
  const failure = ref('')
  const text = ref('')
  const activeText = ref<string | null>(null)
  const removed = ref(false)
  const version = ref(0)
  const findings = ref<Finding[]>([]) as Ref<Finding[]>
  const keeping = ref<Keeping>('kept')
  const theirs = ref<DraftRow | null>(null)
  const baseMoved = ref(false)
  const unsaved = `almanac.unsaved.${id}`
  let timer = 0
  let running: Promise<void> = Promise.resolve()

  // The last state that could be read: a half-typed text has a misaligned tree, which no form should show.
  const lastRead = shallowRef<unknown>({})
  const fault = computed(() => faultPlace(text.value))
  const value = computed(() => (isObject(lastRead.value) ? lastRead.value : {}))
  const body = computed(() => (isObject(value.value.body) ? value.value.body : {}))
  const changed = computed(() => removed.value || text.value !== (activeText.value ?? ''))

  async function load(): Promise<void> {
    const seen = version.value
    try {
      const found = await fetchComponent(type, key)
      // What was typed or kept meanwhile is newer than this answer.
      if (keeping.value === 'kept' && version.value === seen) take(found)
    } catch (error) {
      const gone = error instanceof ApiError && error.status === 404
      status.value = gone ? 'missing' : 'failed'
      failure.value = messageOf(error)
    }
  }

  function take(found: ComponentDetail): void {
    detail.value = found
    activeText.value = found.digest === null ? null : found.text
    version.value = found.draft?.version ?? 0
    removed.value = found.draft !== null && found.draft.text === null
    const shown = found.draft?.text ?? found.text ?? ''
    if (shown !== text.value) {
      show(found.text ?? '')
      show(shown)
    }
    baseMoved.value = found.draft !== null && found.draft.baseDigest !== found.digest
    status.value = 'ready'
    const left = localStorage.getItem(unsaved)
    if (left !== null && left !== text.value) setText(left)
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

  function setText(next: string): void {
    if (next === text.value && !removed.value) return
    show(next)
    removed.value = false
    mirror()
    schedule(pause)
  }

  function show(next: string): void {
    text.value = next
    const { value: found, faults } = readLoosely(next)
    if (faults.length === 0) lastRead.value = found
  }

  /** Sets one value of the text; a text with a fault stays as it is. */
  function setPath(path: Path, to: unknown): void {
    setText(setAt(text.value, path, to))
  }

  function mirror(): void {
    try {
      localStorage.setItem(unsaved, text.value)
    } catch {
      // A full local store costs only the second copy; the server still gets the first.
    }
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
    else localStorage.removeItem(unsaved)
    onKept(new Date())
  }

  async function refused(error: unknown): Promise<void> {
    failure.value = messageOf(error)
    if (error instanceof ApiError && error.status === 409) {
      const found = await fetchComponent(type, key).catch(() => null)
      theirs.value = found?.draft ?? null
      keeping.value = 'conflict'
      return
    }
    keeping.value = 'waiting'
    window.clearTimeout(timer)
    timer = window.setTimeout(() => schedule(0), retryAfter)
  }

  /** Ends a conflict: mine is kept over theirs, or theirs is taken and mine is gone. */
  async function settle(choice: 'mine' | 'theirs'): Promise<void> {
    version.value = theirs.value?.version ?? 0
    keeping.value = 'typing'
    if (choice === 'mine') return keep()
    keeping.value = 'kept'
    localStorage.removeItem(unsaved)
    await load()
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
    localStorage.removeItem(unsaved)
    keeping.value = 'kept'
    findings.value = []
    if (activeText.value === null) vanish()
    else await load()
    onKept(new Date())
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
    version,
    findings,
    keeping,
    theirs,
    baseMoved,
    fault,
    value,
    body,
    changed,
    load,
    refresh,
    begin,
    setText,
    setPath,
    keep,
    settle,
    remove,
    discard,
  })
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
