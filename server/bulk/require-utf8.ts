// Refuses parts in UTF-16, as some spreadsheets write them: their rows would be read as other rows.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'

const marks = [
  [0xff, 0xfe],
  [0xfe, 0xff],
]

/** @param bytes of the parts, from the first on @throws AlmanacError `ingest.row` */
export async function requireUtf8(bytes: AsyncIterable<Uint8Array>): Promise<void> {
  const begin: number[] = []
  for await (const chunk of bytes) {
    begin.push(...chunk.subarray(0, 2 - begin.length))
    if (begin.length === 2) break
  }
  // Without a mark, each character of ASCII has a byte that is 0.
  const isWide = begin.includes(0) || marks.some((mark) => mark.every((byte, at) => begin[at] === byte))
  if (isWide)
    throw new AlmanacError(
      'ingest.row',
      'The parts are in UTF-16. Send them in UTF-8: the job is still open.',
    )
}
