// One request over HTTP. `fetch` copies a body several times; here, its bytes go to the socket as they are.
import { Agent, request } from 'node:http'

export interface Exchanged {
  status: number
  bytes: Buffer
}

/** A client waits this long for a response. */
const patienceMs = 150_000
/** A connection for each request: one that is kept may be closed by the server as it is used again. */
const agent = new Agent({ keepAlive: false })

/** A server may answer, and close the connection, before it has read the whole body. @throws Error without a response */
export function exchange(
  url: string,
  { method, headers, body }: { method: string; headers: Record<string, string>; body: Uint8Array | undefined },
): Promise<Exchanged> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, method, headers, signal: AbortSignal.timeout(patienceMs) })
    let isAnswered = false
    sent.on('response', (response) => {
      isAnswered = true
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', () => resolve({ status: response.statusCode!, bytes: Buffer.concat(parts) }))
      response.on('error', reject)
    })
    sent.on('error', (error) => {
      if (!isAnswered) reject(error)
    })
    sent.end(body)
  })
}
