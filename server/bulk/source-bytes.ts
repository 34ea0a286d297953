// The bytes that were read and are not part of a batch or a row yet.
import { Buffer } from 'node:buffer'

export class SourceBytes {
  #chunks: Uint8Array[] = []

  async *keep(bytes: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
    for await (const chunk of bytes) {
      this.#chunks.push(chunk)
      yield chunk
    }
  }

  take(length: number): Buffer {
    const taken = Buffer.alloc(length)
    let at = 0
    while (at < length) {
      const [chunk] = this.#chunks as [Uint8Array]
      const part = chunk.subarray(0, length - at)
      taken.set(part, at)
      at += part.length
      if (part.length === chunk.length) this.#chunks.shift()
      else this.#chunks[0] = chunk.subarray(part.length)
    }
    return taken
  }
}
