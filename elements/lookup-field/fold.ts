// Letters as people compare them: without case and accents. Shared by the highlight and the array source.

/** What has a stroke through it is no letter with an accent to Unicode, but to people it is. */
const barred: Record<string, string> = { ø: 'o', ł: 'l', đ: 'd', ð: 'd', ħ: 'h' }
const doubled: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe' }

/** One letter for each letter of the text, so that a place in the one is the same place in the other. */
export function folded(text: string): string {
  // Most texts have nothing to take off, and there may be ten thousand.
  if (/^[\x20-\x7e]*$/.test(text)) return text.toLowerCase()
  let plain = ''
  for (const letter of text) {
    const low = letter.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
    const bare = barred[low] ?? low
    // What grows or vanishes when it is folded stays as long as it was.
    plain += bare.length === letter.length ? bare : letter
  }
  return plain
}

/** What is compared: a letter and its accent may come apart in a text, and one letter stand for two. */
export function compared(text: string): string {
  return folded(text.normalize()).replace(/[ßæœ]/g, (letter) => doubled[letter]!)
}

export function wordsIn(query: string): string[] {
  return compared(query).split(/\s+/u).filter(Boolean)
}

/** Places of the query's words in a text, ascending and apart: the beginning of a word where there is one. */
export function matches(text: string, query: string): [start: number, end: number][] {
  const plain = folded(text)
  const found = folded(query.normalize())
    .split(/\s+/u)
    .filter(Boolean)
    .map((word): [number, number] => {
      const begin = atWord(plain, word)
      const start = begin < 0 ? plain.indexOf(word) : begin
      return [start, start + word.length]
    })
    .filter(([start]) => start >= 0)
    .sort(([a], [b]) => a - b)
  const apart: [number, number][] = []
  for (const [start, end] of found) {
    const last = apart.at(-1)
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end)
    else apart.push([start, end])
  }
  return apart
}

/** Where a word of the text begins with this; -1 where none does. Both folded. */
export function atWord(plain: string, word: string): number {
  for (let at = plain.indexOf(word); at >= 0; at = plain.indexOf(word, at + 1))
    if (at === 0 || !/[\p{L}\p{N}]/u.test(plain[at - 1]!)) return at
  return -1
}
