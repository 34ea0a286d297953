// Reads the bytes of a body: inflates and counts them, and stops at the size limit or if they arrive too slowly.
import type { Request, Response } from 'express'
import type { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { formatBytes } from './format-bytes.ts'

/** The body is kept in blocks of this size, which can be transferred to another thread without copying. */
const blockBytes = 256 * 1024
/** Base time for a body; it gets one more second for each `minBytesPerSecond` bytes. */
const defaultGraceMs = 10_000
const minBytesPerSecond = 16 * 1024
const watchMs = 1000
/** Bytes that a sender can still send after a refusal before the connection is closed, so it can read the refusal. */
const lingerBytes = 256 * 1024
const lingerMs = 500

const decoders = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
} as const

export interface BodyLimits {
  /** After inflation. */
  bytes: number
  /** Time before the slowest rate is checked. */
  graceMs?: number
}

/**
 * Reads the body in blocks, each of which owns its memory.
 * @throws AlmanacError `request.too_large`, `request.media_type`, `request.malformed`, `limit.slow_request`
 */
export async function readBody(
  request: Request,
  response: Response,
  { bytes, graceMs = defaultGraceMs }: BodyLimits,
): Promise<Uint8Array[]> {
  try {
    const length = Number(request.headers['content-length'] ?? 0)
    if (length > bytes) throw tooLargeError(bytes)
    return await collect(request, bytes, graceMs)
  } catch (error) {
    refuseRest(request, response)
    throw error
  }
}

/** The bytes of a body while they arrive, for a route that keeps none of them in memory. */
export interface BodyStream extends AsyncIterable<Uint8Array> {
  /** Calls the listener with the bytes as they were sent, before decompression. */
  onSent(listener: (chunk: Uint8Array) => void): void
}

/**
 * The body in pieces, inflated. It can be read once.
 * @throws AlmanacError as `readBody`, while it is read
 */
export function streamBody(request: Request, limits: BodyLimits): BodyStream {
  let listener = (_chunk: Uint8Array): void => undefined
  return {
    onSent: (next) => void (listener = next),
    [Symbol.asyncIterator]: () => arriving(request, limits, (chunk) => listener(chunk)),
  }
}

async function* arriving(
  request: Request,
  { bytes, graceMs = defaultGraceMs }: BodyLimits,
  onSent: (chunk: Uint8Array) => void,
): AsyncGenerator<Uint8Array> {
  const received = new ReceivedBytes()
  let [inflated, waited] = [0, 0]
  let fail = (_error: Error): void => undefined
  const failed = new Promise<never>((_resolve, reject) => (fail = reject))
  failed.catch(() => undefined)
  const count = (chunk: Buffer): void => {
    received.add(chunk)
    onSent(chunk)
    if (received.total > bytes) fail(tooLargeError(bytes))
  }
  const aborted = (): void => fail(truncatedBodyError())
  let source: Readable | null = null
  try {
    if (Number(request.headers['content-length'] ?? 0) > bytes) throw tooLargeError(bytes)
    source = inflateBody(request)
    request.on('data', count)
    request.on('aborted', aborted)
    source.on('error', () => fail(invalidEncodingError(request)))
    const chunks = source[Symbol.asyncIterator]() as AsyncIterator<Buffer>
    for (;;) {
      // Only the sender's time counts, not ours.
      const since = performance.now()
      const allowed = graceMs + (1000 * received.total) / minBytesPerSecond - waited
      const late = setTimeout(() => fail(tooSlowError(graceMs)), Math.max(0, allowed))
      const next = await Promise.race([chunks.next(), failed]).finally(() => clearTimeout(late))
      waited += performance.now() - since
      if (next.done === true) {
        if (hasRest(request, source, received)) throw invalidEncodingError(request)
        return
      }
      inflated += next.value.length
      if (inflated > bytes) throw tooLargeError(bytes)
      yield next.value
    }
  } catch (error) {
    if (error instanceof AlmanacError) throw error
    throw source === request ? truncatedBodyError() : invalidEncodingError(request)
  } finally {
    request.off('data', count)
    request.off('aborted', aborted)
    if (source !== null && source !== request) {
      request.unpipe()
      source.destroy()
    }
  }
}

function collect(request: Request, limit: number, patienceMs: number): Promise<Uint8Array[]> {
  const source = inflateBody(request)
  const blocks = new Blocks()
  return new Promise((resolve, reject) => {
    const started = performance.now()
    const received = new ReceivedBytes()
    const watch = setInterval(
      () => {
        const allowed = patienceMs + (1000 * received.total) / minBytesPerSecond
        if (performance.now() - started > allowed) fail(tooSlowError(patienceMs))
      },
      Math.min(watchMs, patienceMs),
    )
    const settle = (): void => {
      clearInterval(watch)
      request.off('data', count)
      request.off('aborted', aborted)
      if (source !== request) {
        request.unpipe()
        source.destroy()
      }
    }
    const fail = (error: Error): void => {
      settle()
      source.removeAllListeners('data')
      request.pause()
      reject(error)
    }
    const count = (chunk: Buffer): void => {
      received.add(chunk)
      // Compressed bytes count too, because inflated data is never smaller.
      if (received.total > limit) fail(tooLargeError(limit))
    }
    const aborted = (): void => fail(truncatedBodyError())
    request.on('data', count)
    request.on('aborted', aborted)
    source.on('data', (chunk: Buffer) => {
      blocks.add(chunk)
      if (blocks.length > limit) fail(tooLargeError(limit))
    })
    source.on('error', () => fail(invalidEncodingError(request)))
    source.on('end', () => {
      if (hasRest(request, source, received)) return fail(invalidEncodingError(request))
      settle()
      resolve(blocks.finish())
    })
  })
}

/** @throws AlmanacError `request.media_type` */
function inflateBody(request: Request): Readable {
  const encoding = (request.headers['content-encoding'] ?? 'identity').toLowerCase()
  if (encoding === 'identity') return request
  if (!Object.hasOwn(decoders, encoding))
    throw new AlmanacError(
      'request.media_type',
      `The body is compressed as "${encoding}". Send it as gzip, deflate or br, or uncompressed.`,
    )
  return request.pipe(decoders[encoding as keyof typeof decoders]())
}

/** Whether bytes follow what was inflated: they would be lost. After gzip, zeros can follow. */
const hasRest = (
  { headers }: Request,
  { bytesWritten }: Readable & { bytesWritten?: number },
  { total, filled }: ReceivedBytes,
): boolean =>
  bytesWritten !== undefined &&
  bytesWritten < (/gzip/i.test(String(headers['content-encoding'])) ? filled : total)

class ReceivedBytes {
  total = 0
  /** Up to the last that is not zero. */
  filled = 0

  add(chunk: Buffer): void {
    this.total += chunk.length
    let zeros = 0
    while (zeros < chunk.length && chunk[chunk.length - 1 - zeros] === 0) zeros += 1
    if (zeros < chunk.length) this.filled = this.total - zeros
  }
}

/** Sends the refusal without reading the rest of the body, and closes the connection. */
export function refuseRest(request: Request, response: Response): void {
  if (request.complete) return
  response.setHeader('Connection', 'close')
  const { socket } = request
  let remaining = lingerBytes
  // If the connection is closed while the sender is still writing, the refusal is lost.
  response.once('finish', () => {
    socket.destroySoon = () => {
      socket.end()
      setTimeout(() => socket.destroy(), lingerMs).unref()
    }
    request.on('data', (chunk: Buffer) => {
      if ((remaining -= chunk.length) < 0) socket.destroy()
    })
    request.resume()
  })
}

/** Copies incoming bytes into blocks of one size. */
class Blocks {
  readonly #full: Uint8Array[] = []
  #block: Uint8Array = new Uint8Array(0)
  #used = 0
  length = 0

  add(chunk: Buffer): void {
    this.length += chunk.length
    for (let from = 0; from < chunk.length;) {
      if (this.#used === this.#block.length) this.#next()
      const taken = Math.min(chunk.length - from, this.#block.length - this.#used)
      this.#block.set(chunk.subarray(from, from + taken), this.#used)
      this.#used += taken
      from += taken
    }
  }

  finish(): Uint8Array[] {
    if (this.#used > 0) this.#full.push(this.#block.subarray(0, this.#used))
    return this.#full
  }

  #next(): void {
    if (this.#used > 0) this.#full.push(this.#block)
    this.#block = new Uint8Array(this.#full.length === 0 ? 16 * 1024 : blockBytes)
    this.#used = 0
  }
}

function tooLargeError(limit: number): AlmanacError {
  return new AlmanacError(
    'request.too_large',
    `The body is larger than the ${formatBytes(limit)} allowed here. Send it in several requests.`,
  )
}

function tooSlowError(patienceMs: number): AlmanacError {
  return new AlmanacError(
    'limit.slow_request',
    `The body arrived too slowly: after ${patienceMs / 1000} seconds, at least ${formatBytes(minBytesPerSecond)} per second are required. Send it again over a faster connection, or compress it.`,
  )
}

function truncatedBodyError(): AlmanacError {
  return new AlmanacError('request.malformed', 'The body ended before its declared length.')
}

function invalidEncodingError(request: Request): AlmanacError {
  return new AlmanacError(
    'request.malformed',
    `The body is not valid ${String(request.headers['content-encoding'])}. Send it again or uncompressed.`,
  )
}
