// What JSON.parse is silent about: a property written twice, and nesting so deep that no reader of trees would end.
import { mostNesting } from '#kernel/components/json-faults.ts'
import { pointer } from '#kernel/components/pointer.ts'

export interface JsonFlaw {
  kind: 'duplicate' | 'depth'
  /** JSON pointer of the property, or of the value that lies too deep. */
  path: string
  /** Where it begins in the text, from 0. */
  offset: number
}

interface Level {
  /** Names so far; null in a list. */
  names: Set<string> | null
  /** Where we stand: a name, or an index. */
  at: string | number
}

const sign = { quote: 34, comma: 44, colon: 58, open: 91, close: 93, openObject: 123, closeObject: 125 }

/** Reads the text once. It need not be JSON; too deep a nesting ends the reading. */
export function scanJson(text: string): JsonFlaw[] {
  const flaws: JsonFlaw[] = []
  const levels: Level[] = []
  let level: Level | undefined
  let named = false
  for (let index = 0; index < text.length; index += 1) {
    switch (text.charCodeAt(index)) {
      case sign.quote: {
        const end = endOfString(text, index)
        if (end === -1) return flaws
        if (named && level?.names != null) {
          const name = nameOf(text.slice(index + 1, end))
          level.at = name
          if (level.names.has(name)) flaws.push({ kind: 'duplicate', path: pathOf(levels), offset: index })
          level.names.add(name)
        }
        index = end
        break
      }
      case sign.comma:
        if (typeof level?.at === 'number') level.at += 1
        else named = true
        break
      case sign.colon:
        named = false
        break
      case sign.open:
      case sign.openObject: {
        if (levels.length === mostNesting)
          return [...flaws, { kind: 'depth', path: pathOf(levels.slice(0, 3)), offset: index }]
        named = text.charCodeAt(index) === sign.openObject
        level = named ? { names: new Set(), at: '' } : { names: null, at: 0 }
        levels.push(level)
        break
      }
      case sign.close:
      case sign.closeObject:
        levels.pop()
        level = levels.at(-1)
        named = false
    }
  }
  return flaws
}

/** The closing quote of the string that opens at `start`; -1 where there is none. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0
    while (text.charCodeAt(end - 1 - slashes) === 92) slashes += 1
    if (slashes % 2 === 0) return end
  }
  return -1
}

/** `raw` is what stands between the quotes; two spellings of one name are one name. */
function nameOf(raw: string): string {
  if (!raw.includes('\\')) return raw
  try {
    return JSON.parse(`"${raw}"`) as string
  } catch {
    return raw
  }
}

function pathOf(levels: readonly Level[]): string {
  return pointer(...levels.map(({ at }) => String(at)))
}
