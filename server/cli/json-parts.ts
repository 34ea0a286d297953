// JSON in parts: the result of an apply of a hundred thousand components is never one text in memory.

/** Items of a long list that are written at once. */
const PART = 100

/**
 * Yields the parts of `JSON.stringify(value, null, indent)`. A list directly inside the object may be any iterable of
 * items that are created as they are read; it is written as an array, and a long one in several parts.
 */
export function* jsonParts(value: object, indent = 0): Iterable<string> {
  const space = indent === 0 ? '' : ' '
  let before = '{'
  for (const [name, item] of Object.entries(value) as [string, unknown][]) {
    if (item === undefined) continue
    yield `${before}${line(indent)}${JSON.stringify(name)}:${space}`
    before = ','
    if (isLong(item)) yield* listParts(item, indent)
    else yield deeper(JSON.stringify(item, null, indent), indent)
  }
  yield before === '{' ? '{}' : indent === 0 ? '}' : '\n}'
}

function isLong(item: unknown): item is Iterable<unknown> {
  if (Array.isArray(item)) return item.length > PART
  return typeof item === 'object' && item !== null && Symbol.iterator in item
}

function* listParts(list: Iterable<unknown>, indent: number): Iterable<string> {
  let before = '['
  let items: unknown[] = []
  const part = (): string => {
    const text = JSON.stringify(items, null, indent)
    // Without its brackets; the last one is on its own line.
    const inner = deeper(text.slice(1, indent === 0 ? -1 : -2), indent)
    const part = `${before}${inner}`
    before = ','
    items = []
    return part
  }
  for (const item of list) {
    items.push(item)
    if (items.length === PART) yield part()
  }
  if (items.length > 0) yield part()
  yield before === '[' ? '[]' : `${line(indent)}]`
}

function line(indent: number): string {
  return indent === 0 ? '' : `\n${' '.repeat(indent)}`
}

/** JSON strings contain no line feeds, so every line feed is layout. */
function deeper(text: string, indent: number): string {
  return indent === 0 ? text : text.replaceAll('\n', line(indent))
}
