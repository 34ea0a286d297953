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

/** Yields the parts of `JSON.stringify(value)`, with each member of its upper levels apart. */
export function* jsonPieces(value: unknown, levels: number): Generator<string> {
  if (levels === 0 || typeof value !== 'object' || value === null || Array.isArray(value))
    return void (yield JSON.stringify(value))
  let before = '{'
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue
    yield `${before}${JSON.stringify(name)}:`
    yield* jsonPieces(member, levels - 1)
    before = ','
  }
  yield before === '{' ? '{}' : '}'
}

/** Joins short parts, each of which would be sent on its own. */
export function* inBlocks(parts: Iterable<string>, block = PIECE): Generator<string> {
  let text = ''
  for (const part of parts) {
    text += part
    if (text.length < block) continue
    yield text
    text = ''
  }
  if (text !== '') yield text
}

/** Whether a text of the record is better written in pieces. */
export function hasLongText(record: object): boolean {
  return Object.values(record).some(isLongText)
}

function isLongText(value: unknown): value is string {
  return typeof value === 'string' && value.length > PIECE
}
