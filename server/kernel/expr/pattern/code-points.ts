// A set of characters as sorted ranges: a look-up takes a few comparisons, even in a long class.

/** Ranges, both ends included, in order and without overlap. */
export type CodePoints = readonly (readonly [from: number, to: number])[]

const LAST = 0x10ffff

/** @param ranges In any order; they can overlap. */
export function codePoints(ranges: readonly (readonly [number, number])[]): CodePoints {
  const merged: [number, number][] = []
  for (const [from, to] of [...ranges].sort(([a], [b]) => a - b)) {
    const last = merged.at(-1)
    if (last !== undefined && from <= last[1] + 1) last[1] = Math.max(last[1], to)
    else merged.push([from, to])
  }
  return merged
}

export function singleCodePoint(character: string): CodePoints {
  const codePoint = character.codePointAt(0)!
  return [[codePoint, codePoint]]
}

export function complementOf(excluded: CodePoints): CodePoints {
  const rest: [number, number][] = []
  let from = 0
  for (const [first, last] of excluded) {
    if (first > from) rest.push([from, first - 1])
    from = last + 1
  }
  if (from <= LAST) rest.push([from, LAST])
  return rest
}

export function includesCodePoint(ranges: CodePoints, codePoint: number): boolean {
  let [low, high] = [0, ranges.length - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    const [from, to] = ranges[middle]!
    if (codePoint < from) high = middle - 1
    else if (codePoint > to) low = middle + 1
    else return true
  }
  return false
}
