// Converts texts to bytes in pieces, with a break between two, so that other work on this thread never waits long.

const size = 8 * 1024

export async function* encodeChunks(
  texts: Iterable<string> | AsyncIterable<string>,
): AsyncIterable<Uint8Array> {
  let piece = ''
  for await (const text of texts) {
    piece += text
    if (piece.length < size) continue
    yield Buffer.from(piece, 'utf8')
    piece = ''
    await new Promise<void>((resolve) => setImmediate(resolve))
  }
  if (piece !== '') yield Buffer.from(piece, 'utf8')
}
