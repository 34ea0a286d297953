// A stream of the server's events: kept open, and opened again after a failure.

export interface StreamHandlers {
  /** @param text the data of the event, as JSON */
  onEvent(kind: string, text: string): void
  /** @param isNew whether this is a different stream than before, so that events in between may be missing */
  onOpen(isNew: boolean): void
  onLost(): void
}

export interface EventStream {
  /** Connects again now. */
  reopen(): void
  close(): void
}

const retryAfter = 2000

export type OpenStream = (handlers: StreamHandlers) => EventStream

/** A stream on a connection of its own. */
export function connectStream(kinds: readonly string[]): OpenStream {
  return ({ onEvent, onOpen, onLost }) => {
    let source: EventSource | null = null
    let timer: ReturnType<typeof setTimeout> | undefined

    function close(): void {
      clearTimeout(timer)
      source?.close()
      source = null
    }

    function connect(): void {
      close()
      const mine = new EventSource('/setup/v3/events')
      source = mine
      for (const kind of kinds)
        mine.addEventListener(kind, ({ data }: MessageEvent<string>) => onEvent(kind, data))
      mine.addEventListener('error', () => {
        if (source !== mine) return
        onLost()
        // A browser does not retry automatically if the response was not a stream.
        if (mine.readyState === EventSource.CLOSED) timer = setTimeout(connect, retryAfter)
      })
      mine.addEventListener('open', () => onOpen(false))
    }

    connect()
    return { reopen: connect, close }
  }
}
