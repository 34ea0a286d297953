// Letters as people compare them: without case and accents. Shared by the highlight and the array source.

/** To Unicode what has a stroke through it is no letter with an accent, and two that grew together are one; to people not. */
const plainly: Record<string, string> = {
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
}

/** Accents and points of vowels that stand as letters of their own. */
const apart = /[\p{sc=Zinh}\u0591-\u05bd\u05c1\u05c2]/u

function bare(letter: string): string {
  const low = letter.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  // What grows or vanishes without its marks stays as it is: they are no accents, but for those that no letter was made with.
  return plainly[low] ?? (low.length === letter.length ? low : letter.replace(apart, ''))
}

/** What is compared. A letter and its accent may come apart in a text. */
export function compared(text: string): string {
  // Most texts have nothing to take off, and there may be ten thousand.
  if (/^[\x20-\x7e]*$/.test(text)) return text.toLowerCase()
  return [...text.normalize()].map(bare).join('')
}

export function wordsIn(query: string): string[] {
  return compared(query).split(/\s+/u).filter(Boolean)
}

/** Places of the query's words in a normalised text, ascending and apart: the beginning of a word where there is one. */
export function matches(text: string, query: string): [start: number, end: number][] {
  let plain = ''
  /** Of each letter that is compared, where the one that it stands for begins; and the end. */
  const places: number[] = []
  let at = 0
  for (const letter of text) {
    plain += bare(letter)
    while (places.length < plain.length) places.push(at)
    at += letter.length
  }
  places.push(at)
  // Ends with one that is no part of a word.
  const found = new Uint8Array(at + 1)
  for (const word of wordsIn(query)) {
    const begin = atWord(plain, word)
    const start = begin < 0 ? plain.indexOf(word) : begin
    if (start < 0) continue
    let end = start + word.length
    while (places[end] === places[end - 1]) end += 1
    found.fill(1, places[start], places[end])
  }
  const ranges: [number, number][] = []
  for (let start = found.indexOf(1); start >= 0; start = found.indexOf(1, at)) {
    at = found.indexOf(0, start)
    ranges.push([start, at])
  }
  return ranges
}

/** Where a word of the text begins with this; -1 where none does. Both as they are compared. */
export function atWord(plain: string, word: string): number {
  for (let at = plain.indexOf(word); at >= 0; at = plain.indexOf(word, at + 1))
    if (at === 0 || !/[\p{L}\p{N}]/u.test(plain[at - 1]!)) return at
  return -1
}
