// A long text as JSON in pieces: made whole, it would hold others up (bench.md).

const PIECE = 64 * 1024

/** The parts of `JSON.stringify(text)`, but that a letter of two units may be written as its two escapes. */
export function* jsonText(text: string, piece = PIECE): Iterable<string> {
  yield '"'
  for (let at = 0; at < text.length; at += piece)
    yield JSON.stringify(text.slice(at, at + piece)).slice(1, -1)
  yield '"'
}
