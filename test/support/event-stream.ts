// Reads server-sent events, as a program would.
import { get, type ClientRequest, type IncomingMessage } from 'node:http'

export interface StreamFrame {
  event: string
  id: string | null
  data: unknown
}

export interface OpenStream {
  status: number
  /** All frames so far. */
  frames: readonly StreamFrame[]
  /** Resolves once a frame fulfils the condition. */
  until(condition: (frame: StreamFrame) => boolean): Promise<StreamFrame>
  /** The frames with events, once there are as many. */
  events(count: number): Promise<StreamFrame[]>
  /** Resolves when the server has ended it. */
  ended: Promise<void>
  close(): void
}

export async function openStream(url: string, headers: Record<string, string>): Promise<OpenStream> {
  const request: ClientRequest = get(url, { headers: { accept: 'text/event-stream', ...headers } })
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request.on('response', resolve)
    request.on('error', reject)
  })
  const frames: StreamFrame[] = []
  const listeners = new Set<() => void>()
  const ended = new Promise<void>((resolve) => {
    response.on('close', resolve)
    response.on('error', () => resolve())
  })
  let text = ''
  response.setEncoding('utf8')
  response.on('data', (chunk: string) => {
    text += chunk
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
      frames.push(frameOf(text.slice(0, end)))
      text = text.slice(end + 2)
    }
    for (const listener of listeners) listener()
  })
  const when = <T>(find: () => T | undefined): Promise<T> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const found = find()
        if (found === undefined) return
        listeners.delete(look)
        resolve(found)
      }
      listeners.add(look)
      void ended.then(() => reject(new Error(`The stream ended with ${JSON.stringify(frames)}.`)))
      look()
    })
  return {
    status: response.statusCode ?? 0,
    frames,
    until: (condition) => when(() => frames.find(condition)),
    events: (count) =>
      when(() => {
        const found = frames.filter(({ event }) => event === 'change' || event === 'event')
        return found.length >= count ? found : undefined
      }),
    ended,
    close: () => request.destroy(),
  }
}

function frameOf(text: string): StreamFrame {
  const lines = text.split('\n').map((line) => /^([^:]*): ?(.*)$/.exec(line))
  const of = (name: string): string | null => lines.find((line) => line?.[1] === name)?.[2] ?? null
  const data = of('data')
  return {
    event: of('event') ?? '',
    id: of('id'),
    data: data === null ? null : (JSON.parse(data) as unknown),
  }
}
