// The server's events while the studio is open, such as generations and drafts; and the connection.
import { defineStore } from 'pinia'
import { ref, shallowRef, watch } from 'vue'
import type { RemoteJobSummary } from '#wire/remotes.ts'
import { connectStream, type EventStream } from './stream/event-stream.ts'
import { canShareStream, shareStream } from './stream/shared-stream.ts'

/** The data of each event of `/setup/v3/events`, as the server's document describes it. */
export interface ServerEventData {
  generation: { generation: number; actor: string }
  /** A draft was saved under a version; 0 if it no longer exists. */
  draft: { id: string; version: number; author: string }
  'change-request': { id: string; state: string; digest: string; actor: string }
  /** A remote has changed, or a job of it has advanced. */
  remote: { remote: string; job?: RemoteJobSummary }
  /** A user or a group, as `user/mara`, changed. */
  people: { id: string; actor: string }
  /** A job over records has advanced. */
  'record-job': { id: string; state: string; done: number; total: number | null }
  /** A bulk job has advanced. */
  ingest: { id: string; createdBy: string }
  /** Records of an object changed. */
  records: { object: string }
}

export type ServerEventName = keyof ServerEventData
export type ServerEvent = {
  [E in ServerEventName]: { event: E; data: ServerEventData[E]; at: Date; number: number }
}[ServerEventName]

const kinds = [
  'generation',
  'draft',
  'change-request',
  'remote',
  'people',
  'record-job',
  'ingest',
  'records',
] as const satisfies readonly ServerEventName[]
/** Each of many saves or batches in a row has the same event. */
const isRepeated = (earlier: ServerEvent, event: ServerEventName, data: unknown): boolean =>
  (event === 'records' || event === 'ingest') &&
  earlier.event === event &&
  JSON.stringify(earlier.data) === JSON.stringify(data)

const mostKept = 500
/** Milliseconds that the first reads wait for the stream. */
const patience = 1000

export const useLive = defineStore('live', () => {
  /** Newest first. */
  const events = shallowRef<ServerEvent[]>([])
  /** Lost: the connection failed, or a sign-in is required; it is retried until the server responds. */
  const state = ref<'opening' | 'open' | 'lost'>('opening')
  const lostAt = ref<Date | null>(null)
  /** How often the connection was lost, or an attempt to restore it failed. */
  const failures = ref(0)
  const listeners = new Map<ServerEventName, Set<(data: never) => void>>()
  const reconnectListeners = new Set<() => void>()
  let stream: EventStream | null = null
  /** Reads started before the stream was open. */
  let openedLate = false
  let number = 0

  /** Calls back with each event of a kind. Returns the function that stops it. */
  function on<E extends ServerEventName>(event: E, listener: (data: ServerEventData[E]) => void): () => void {
    const known = listeners.get(event) ?? new Set()
    listeners.set(event, known.add(listener))
    return () => void known.delete(listener)
  }

  /** Calls back when the connection is restored, after a gap in which events may have been missed. */
  function onReconnect(listener: () => void): () => void {
    reconnectListeners.add(listener)
    return () => void reconnectListeners.delete(listener)
  }

  function dispatch(event: ServerEventName, text: string): void {
    const data = JSON.parse(text) as never
    const others = events.value.filter((each) => !isRepeated(each, event, data))
    events.value = [{ event, data, at: new Date(), number: ++number } as ServerEvent, ...others].slice(
      0,
      mostKept,
    )
    for (const listener of listeners.get(event) ?? []) listener(data)
  }

  function handleDisconnect(): void {
    if (state.value !== 'lost') lostAt.value = new Date()
    state.value = 'lost'
    failures.value += 1
  }

  function handleOpen(isNew: boolean): void {
    const hasGap = state.value === 'lost' || openedLate || isNew
    state.value = 'open'
    openedLate = false
    if (hasGap) for (const listener of reconnectListeners) listener()
    lostAt.value = null
  }

  /** Starts to listen, or connects again now; a stream that ended or was refused is opened again. */
  function listen(): void {
    if (stream !== null) return stream.reopen()
    const connect = connectStream(kinds)
    const open = canShareStream() ? shareStream(connect) : connect
    stream = open({
      onEvent: (kind, text) => dispatch(kind as ServerEventName, text),
      onOpen: handleOpen,
      onLost: handleDisconnect,
    })
  }

  /**
   * Starts to listen before anything is read, so that no change in between is missed. Resolves once the stream is open
   * or refused; a slow one is not waited for, and reports a gap when it opens.
   */
  async function start(): Promise<void> {
    listen()
    await new Promise<void>((done) => {
      watch(state, () => done(), { once: true, flush: 'sync' })
      window.setTimeout(done, patience)
    })
    openedLate = state.value === 'opening'
  }

  /** Stops listening until `listen` is called, because the server would refuse each attempt. */
  function stop(): void {
    stream?.close()
    stream = null
    handleDisconnect()
  }

  return { events, state, lostAt, failures, on, onReconnect, start, listen, stop }
})
