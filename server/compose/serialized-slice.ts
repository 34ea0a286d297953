// A materialised set as it is sent from the worker to readers: one block of bytes that is transferred, not copied.
import { packSlice, unpackSlice, type SetSlice, type SliceHeader } from '#kernel/config/index.ts'

export interface SerializedSlice {
  facts: SliceHeader
  /** The number of keys in each shard, and where its text ends. */
  shards: { size: number; end: number }[]
  /** UTF-8, shard after shard. */
  bytes: Uint8Array<ArrayBuffer>
}

export function serializeSlice(slice: SetSlice): SerializedSlice {
  const pieces: Buffer[] = []
  let end = 0
  const { header, shards } = packSlice(slice, (text, size) => {
    const piece = Buffer.from(text)
    pieces.push(piece)
    return { size, end: (end += piece.length) }
  })
  const bytes = new Uint8Array(end)
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.length
  }
  return { facts: header, shards, bytes }
}

/** The bytes are released once every shard has been read. */
export function deserializeSlice({ facts, shards, bytes }: SerializedSlice): SetSlice {
  const buffer = Buffer.from(bytes.buffer)
  let start = 0
  return unpackSlice({
    header: facts,
    shards: shards.map(({ size, end }) => {
      const from = start
      start = end
      return { size, text: () => buffer.toString('utf8', from, end) }
    }),
  })
}
