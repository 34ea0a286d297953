// Converts a long text to JSON in pieces, because converting it at once would block other requests.

const PIECE = 64 * 1024

/** Yields the parts of `JSON.stringify(text)`, except that a surrogate pair may be written as two escapes. */
export function* jsonText(text: string, piece = PIECE): Iterable<string> {
  yield '"'
  for (let at = 0; at < text.length; at += piece)
    yield JSON.stringify(text.slice(at, at + piece)).slice(1, -1)
  yield '"'
}

/** Yields the parts of `JSON.stringify(record)`, with its long texts in pieces. */
export function* jsonRecord(record: object): Iterable<string> {
  if (!hasLongText(record)) return void (yield JSON.stringify(record))
  const members = Object.entries(record).filter(([, value]) => value !== undefined)
  for (const [at, [name, value]] of members.entries()) {
    const head = `${at === 0 ? '{' : ','}${JSON.stringify(name)}:`
    if (!isLongText(value)) yield head + JSON.stringify(value)
    else {
      yield head
      yield* jsonText(value)
    }
  }
  yield '}'
}

/** Whether a text of the record is better written in pieces. */
export function hasLongText(record: object): boolean {
  return Object.values(record).some(isLongText)
}

function isLongText(value: unknown): value is string {
  return typeof value === 'string' && value.length > PIECE
}
