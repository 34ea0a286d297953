// JSON in parts: what an apply of a hundred thousand components answers never stands in memory as one text.

/** Items of a long list that are written at a time. */
const PART = 100

/** The parts of `JSON.stringify(value)`; a long list directly inside of an object is cut into several. */
export function* jsonParts(value: object): Iterable<string> {
  let before = '{'
  for (const [name, item] of Object.entries(value) as [string, unknown][]) {
    if (item === undefined) continue
    yield `${before}${JSON.stringify(name)}:`
    before = ','
    if (Array.isArray(item) && item.length > PART) yield* listParts(item)
    else yield JSON.stringify(item)
  }
  yield before === '{' ? '{}' : '}'
}

function* listParts(list: readonly unknown[]): Iterable<string> {
  for (let at = 0; at < list.length; at += PART) {
    const items = JSON.stringify(list.slice(at, at + PART)).slice(1, -1)
    yield `${at === 0 ? '[' : ','}${items}`
  }
  yield ']'
}
