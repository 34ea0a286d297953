// Reads the body of a response within limits of size and time, and removes the token that we sent.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'

export interface BodyLimits {
  /** Maximum size of one response. */
  bytes: number
  /** Time before the average rate is checked. */
  graceMs: number
  /** Minimum average rate. */
  bytesPerSecond: number
}

const defaultLimits: BodyLimits = { bytes: 1024 ** 3, graceMs: 60_000, bytesPerSecond: 4096 }

/** @throws AlmanacError integration.too_large, integration.timeout */
export async function* bodyOf(
  response: Response,
  base: string,
  { bytes, graceMs, bytesPerSecond }: BodyLimits = defaultLimits,
): AsyncIterable<Uint8Array> {
  const started = performance.now()
  let size = 0
  for await (const piece of response.body ?? []) {
    size += (piece as Uint8Array).length
    if (size > bytes)
      throw new AlmanacError(
        'integration.too_large',
        `${base} sent more than ${Math.floor(bytes / 1024 / 1024)} MiB. Check the URL.`,
      )
    if (performance.now() - started > graceMs + (size / bytesPerSecond) * 1000)
      throw new AlmanacError(
        'integration.timeout',
        `${base} sends its response too slowly. Check the state of the server and try again.`,
      )
    yield piece as Uint8Array
  }
}

export async function textOf(response: Response, base: string, limits?: BodyLimits): Promise<string> {
  const pieces: Uint8Array[] = []
  for await (const piece of bodyOf(response, base, limits)) pieces.push(piece)
  return Buffer.concat(pieces).toString('utf8')
}
