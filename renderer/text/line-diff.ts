// Compares two texts line by line: the longest common subsequence of lines stays, the rest is removed and added.

export interface DiffLine {
  kind: 'same' | 'change' | 'blank'
  /** 1-based; null if only the other side has a line. */
  number: number | null
  text: string
}

export interface DiffRow {
  before: DiffLine
  after: DiffLine
}

/** Returns rows for a side-by-side view. Quadratic in the changed middle, which is fine for a component's text. */
export function diffLines(before: string, after: string): DiffRow[] {
  const left = linesOf(before)
  const right = linesOf(after)
  const common = longestCommon(left, right)
  const rows: DiffRow[] = []
  let i = 0
  let j = 0
  for (const [x, y] of [...common, [left.length, right.length] as const]) {
    const height = Math.max(x - i, y - j)
    for (let k = 0; k < height; k++)
      rows.push({ before: changedLine(left, i + k, x), after: changedLine(right, j + k, y) })
    if (x < left.length && y < right.length)
      rows.push({ before: sameLine(left, x), after: sameLine(right, y) })
    i = x + 1
    j = y + 1
  }
  return rows
}

const linesOf = (text: string): string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'))
const sameLine = (lines: string[], at: number): DiffLine => ({
  kind: 'same',
  number: at + 1,
  text: lines[at] ?? '',
})

function changedLine(lines: string[], at: number, end: number): DiffLine {
  return at < end
    ? { kind: 'change', number: at + 1, text: lines[at] ?? '' }
    : { kind: 'blank', number: null, text: '' }
}

/** Pairs of positions of equal lines, ascending in both. */
function longestCommon(left: string[], right: string[]): (readonly [number, number])[] {
  let start = 0
  while (start < left.length && start < right.length && left[start] === right[start]) start++
  let tail = 0
  const most = Math.min(left.length, right.length) - start
  while (tail < most && left[left.length - 1 - tail] === right[right.length - 1 - tail]) tail++
  const head = Array.from({ length: start }, (_none, at) => [at, at] as const)
  const middle = commonByTable(left.slice(start, left.length - tail), right.slice(start, right.length - tail))
  const end = Array.from(
    { length: tail },
    (_none, at) => [left.length - tail + at, right.length - tail + at] as const,
  )
  return [...head, ...middle.map(([x, y]) => [x + start, y + start] as const), ...end]
}

function commonByTable(left: string[], right: string[]): [number, number][] {
  const width = right.length + 1
  const length = new Uint32Array((left.length + 1) * width)
  const at = (i: number, j: number): number => length[i * width + j] ?? 0
  for (let i = left.length - 1; i >= 0; i--)
    for (let j = right.length - 1; j >= 0; j--)
      length[i * width + j] =
        left[i] === right[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
  const pairs: [number, number][] = []
  for (let i = 0, j = 0; i < left.length && j < right.length;) {
    if (left[i] === right[j]) pairs.push([i++, j++])
    else if (at(i + 1, j) >= at(i, j + 1)) i++
    else j++
  }
  return pairs
}
