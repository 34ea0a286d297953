// The single range in which two texts differ: the range that an editor must replace to turn one into the other.

export interface TextDelta {
  start: number
  end: number
  text: string
}

/** Null if the texts are equal; otherwise the shortest single replacement in `before`. */
export function deltaOf(before: string, after: string): TextDelta | null {
  if (before === after) return null
  const most = Math.min(before.length, after.length)
  let start = 0
  while (start < most && before[start] === after[start]) start++
  let tail = 0
  while (tail < most - start && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++
  return { start, end: before.length - tail, text: after.slice(start, after.length - tail) }
}
