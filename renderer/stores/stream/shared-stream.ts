// One stream of events for all tabs of a browser: over HTTP/1.1, a browser opens six connections to a server, and the
// streams of six tabs would leave none for requests. The tab that holds a lock has the connection and passes every event
// on; when it closes, the lock goes to the next tab.
import type { EventStream, OpenStream, StreamHandlers } from './event-stream.ts'

/** The name of the lock and of the channel. Changed with the messages: tabs of two versions can be open together. */
const name = 'almanac-events-1'

/** A connection has an id, so that a tab notices that a different one continues. */
type Message =
  | { type: 'event'; kind: string; text: string }
  | { type: 'open'; connection: string }
  | { type: 'lost' }
  /** A tab asks for the state. */
  | { type: 'join' }
  | { type: 'reopen' }

/** Whether tabs can share a stream: only in a secure context, such as https or this machine. */
export const canShareStream = (): boolean =>
  typeof BroadcastChannel === 'function' && globalThis.navigator?.locks !== undefined

/** Makes the tab that has the connection connect again, because the session of the browser has changed. */
export function reconnectSharedStream(): void {
  if (!canShareStream()) return
  const channel = new BroadcastChannel(name)
  channel.postMessage({ type: 'reopen' } satisfies Message)
  channel.close()
}

/** @param connect opens the connection, in the tab that has it */
export function shareStream(connect: OpenStream): OpenStream {
  return (handlers) => {
    const tab = new SharingTab(connect, handlers)
    const stop = whileVisited(tab)
    tab.join()
    return {
      reopen: () => tab.reopen(),
      close() {
        stop()
        tab.leave()
      },
    }
  }
}

/** A page that the browser keeps for going back, or freezes, must not hold the connection. */
function whileVisited(tab: SharingTab): () => void {
  const controller = new AbortController()
  const { signal } = controller
  const rejoin = (): void => {
    if (!tab.isMember) tab.join()
  }
  globalThis.addEventListener?.('pagehide', () => tab.leave(), { signal })
  globalThis.addEventListener?.('pageshow', rejoin, { signal })
  globalThis.document?.addEventListener('freeze', () => tab.leave(), { signal })
  globalThis.document?.addEventListener('resume', rejoin, { signal })
  return () => controller.abort()
}

class SharingTab {
  readonly #connect: OpenStream
  readonly #handlers: StreamHandlers
  #channel: BroadcastChannel | null = null
  /** Withdraws from the lock. */
  #withdraw: (() => void) | null = null
  /** Only in the tab that has the connection. */
  #stream: EventStream | null = null
  #state: 'opening' | 'open' | 'lost' = 'opening'
  /** The connection that this tab has, or whose events it receives. Empty before the first. */
  #connection = ''

  constructor(connect: OpenStream, handlers: StreamHandlers) {
    this.#connect = connect
    this.#handlers = handlers
  }

  get isMember(): boolean {
    return this.#channel !== null
  }

  join(): void {
    this.#channel = new BroadcastChannel(name)
    this.#channel.onmessage = ({ data }: MessageEvent<Message>) => this.#receive(data)
    this.#send({ type: 'join' })
    const waiting = new AbortController()
    let release = (): void => waiting.abort()
    this.#withdraw = () => release()
    void navigator.locks
      .request(name, { signal: waiting.signal }, () => {
        if (waiting.signal.aborted) return
        const held = new Promise<void>((done) => (release = done))
        this.#open()
        return held
      })
      // The tab left before its turn came.
      .catch(() => undefined)
  }

  leave(): void {
    this.#stream?.close()
    this.#stream = null
    this.#channel?.close()
    this.#channel = null
    this.#withdraw?.()
    // Events between now and the next ones that it receives are missing.
    if (this.#connection !== '') this.#connection = 'left'
  }

  reopen(): void {
    if (this.#stream === null) return this.#send({ type: 'reopen' })
    this.#stream.close()
    this.#open()
  }

  #send(message: Message): void {
    this.#channel?.postMessage(message)
  }

  /** Opens the connection in this tab. */
  #open(): void {
    const connection = crypto.randomUUID()
    this.#state = 'opening'
    this.#stream = this.#connect({
      onEvent: (kind, text) => {
        this.#send({ type: 'event', kind, text })
        this.#handlers.onEvent(kind, text)
      },
      onOpen: () => {
        this.#send({ type: 'open', connection })
        this.#follow(connection)
      },
      onLost: () => {
        this.#send({ type: 'lost' })
        this.#lose()
      },
    })
  }

  #lose(): void {
    this.#state = 'lost'
    this.#handlers.onLost()
  }

  #follow(connection: string): void {
    const isNew = this.#connection !== '' && this.#connection !== connection
    // The response to a different tab that joined.
    if (this.#state === 'open' && this.#connection === connection) return
    this.#state = 'open'
    this.#connection = connection
    this.#handlers.onOpen(isNew)
  }

  #receive(message: Message): void {
    if (this.#stream !== null) {
      if (message.type === 'reopen') this.reopen()
      else if (message.type === 'join' && this.#state === 'open')
        this.#send({ type: 'open', connection: this.#connection })
      else if (message.type === 'join' && this.#state === 'lost') this.#send({ type: 'lost' })
    } else if (message.type === 'event') this.#handlers.onEvent(message.kind, message.text)
    else if (message.type === 'open') this.#follow(message.connection)
    else if (message.type === 'lost') this.#lose()
  }
}
