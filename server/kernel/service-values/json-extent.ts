// How large a JSON text is, before it is read: deep nesting and very many values take readers long.

interface JsonExtent {
  /** Levels of lists and objects; 0 for a value that is neither. */
  depth: number
  /** How many values it contains at most; the items of lists and the members of objects count. */
  values: number
}

/** The deepest value that is read: far deeper than any real one, and shallow enough for recursive readers. */
const maxJsonDepth = 200

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c]
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]

/** Reads the text once. It does not have to be JSON. */
export function jsonExtent(text: string): JsonExtent {
  let [level, depth, values] = [0, 0, 1]
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    if (unit === quote) at = endOfText(text, at + 1)
    else if (unit === comma) values += 1
    else if (unit === openList || unit === openObject) {
      values += 1
      level += 1
      if (level > depth) depth = level
    } else if (unit === closeList || unit === closeObject) level -= 1
  }
  return { depth, values }
}

/** The place of the closing quote. */
function endOfText(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 1)) {
    let escapes = at
    while (escapes > from && text.charCodeAt(escapes - 1) === backslash) escapes -= 1
    if ((at - escapes) % 2 === 0) return at
  }
  return text.length
}

/** Returns what is too large in a JSON text, as the end of a sentence; null if it can be read. */
export function explainExtent(text: string, mostValues: number): string | null {
  const { depth, values } = jsonExtent(text)
  if (depth > maxJsonDepth) return `is nested more than ${maxJsonDepth} levels deep`
  if (values > mostValues) return `has more than ${mostValues.toLocaleString('en-GB')} values`
  return null
}
