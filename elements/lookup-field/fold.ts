// Letters as people compare them: without case and accents. Shared by the highlight and the array source.

/** Letters with a stroke, and ligatures, that Unicode does not decompose as people read them. */
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

/** Accents and vowel points that are separate characters. */
const apart = /[\p{sc=Zinh}\u0591-\u05bd\u05c1\u05c2]/u

function bare(letter: string): string {
  const low = letter.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  // A letter whose length changes without its marks is kept: they are not accents, unless they belong to no letter.
  return plainly[low] ?? (low.length === letter.length ? low : letter.replace(apart, ''))
}

/** The compared form of a text. A letter and its accent can be separate characters in a text. */
export function foldText(text: string): string {
  // Most texts need no folding, and there can be ten thousand of them.
  if (/^[\x20-\x7e]*$/.test(text)) return text.toLowerCase()
  return [...text.normalize()].map(bare).join('')
}

export function wordsIn(query: string): string[] {
  return foldText(query).split(/\s+/u).filter(Boolean)
}

/** Positions of the query's words in a normalised text, ascending, not overlapping: the start of a word if possible. */
export function matches(text: string, query: string): [start: number, end: number][] {
  let plain = ''
  /** For each compared letter, the start of its letter in the text; then the end. */
  const places: number[] = []
  let at = 0
  for (const letter of text) {
    plain += bare(letter)
    while (places.length < plain.length) places.push(at)
    at += letter.length
  }
  places.push(at)
  // The extra last position is not part of a word.
  const mask = new Uint8Array(at + 1)
  for (const word of wordsIn(query)) {
    const begin = atWord(plain, word)
    const start = begin < 0 ? plain.indexOf(word) : begin
    if (start < 0) continue
    let end = start + word.length
    while (places[end] === places[end - 1]) end += 1
    mask.fill(1, places[start], places[end])
  }
  const ranges: [number, number][] = []
  for (let start = mask.indexOf(1); start >= 0; start = mask.indexOf(1, at)) {
    at = mask.indexOf(0, start)
    ranges.push([start, at])
  }
  return ranges
}

/** The position of the first word of the text that begins with this; -1 without one. Both in their compared form. */
export function atWord(plain: string, word: string): number {
  for (let at = plain.indexOf(word); at >= 0; at = plain.indexOf(word, at + 1))
    if (at === 0 || !/[\p{L}\p{N}]/u.test(plain[at - 1]!)) return at
  return -1
}
