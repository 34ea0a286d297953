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

function bare(letter: string): string {
  const low = letter.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  // What grows or vanishes without its marks stays as it is: they are no accents.
  return plainly[low] ?? (low.length === letter.length ? low : letter)
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
  /** Of each letter that is compared, where the one that it stands for begins and ends. */
  const places: [start: number, end: number][] = []
  let at = 0
  for (const letter of text) {
    const end = at + letter.length
    const one = bare(letter)
    for (let units = one.length; units > 0; units -= 1) places.push([at, end])
    plain += one
    at = end
  }
  // Ends with one that is no part of a word.
  const found = new Uint8Array(at + 1)
  for (const word of wordsIn(query)) {
    const begin = atWord(plain, word)
    const start = begin < 0 ? plain.indexOf(word) : begin
    if (start >= 0) found.fill(1, places[start]![0], places[start + word.length - 1]![1])
  }
  const apart: [number, number][] = []
  for (let start = found.indexOf(1); start >= 0; start = found.indexOf(1, at)) {
    at = found.indexOf(0, start)
    apart.push([start, at])
  }
  return apart
}

/** Where a word of the text begins with this; -1 where none does. Both as they are compared. */
export function atWord(plain: string, word: string): number {
  for (let at = plain.indexOf(word); at >= 0; at = plain.indexOf(word, at + 1))
    if (at === 0 || !/[\p{L}\p{N}]/u.test(plain[at - 1]!)) return at
  return -1
}
