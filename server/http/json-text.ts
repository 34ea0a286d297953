// Converts a long text to JSON in pieces, because converting it at once would block other requests.

const PIECE = 64 * 1024

/** Yields the parts of `JSON.stringify(text)`, except that a surrogate pair may be written as two escapes. */
export function* jsonText(text: string, piece = PIECE): Iterable<string> {
  yield '"'
  for (let at = 0; at < text.length; at += piece)
    yield JSON.stringify(text.slice(at, at + piece)).slice(1, -1)
  yield '"'
}
