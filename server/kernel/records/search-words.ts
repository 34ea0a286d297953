// The words of a text, as the record search compares them: case-folded, without punctuation.

/** Characters of a word that are compared. Two longer words that begin with the same ones are the same word. */
const maxWordLength = 64
/** Different words of a value that are found. */
const maxWords = 100

/** The different words of a text, in their order. */
export function searchWords(text: string): string[] {
  const words = new Set<string>()
  const [folded, pattern] = isAscii(text)
    ? [text.toLowerCase(), /[a-z0-9]+/g]
    : [foldCase(text), /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu]
  for (const [word] of folded.matchAll(pattern)) {
    words.add(firstCharacters(word, maxWordLength))
    if (words.size === maxWords) break
  }
  return [...words]
}

/** Records with the same word are listed by this form of the value: all its words, up to a length. */
export const searchOrder = (words: readonly string[]): string =>
  firstCharacters(words.join(' '), maxWordLength)

// eslint-disable-next-line no-control-regex -- from the first to the last character of ASCII
const isAscii = (text: string): boolean => /^[\x00-\x7f]*$/.test(text)

/** Both forms of ß and of the Greek sigma are equal, as in the full case folding of Unicode. */
function foldCase(text: string): string {
  return text.normalize('NFC').toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFC')
}

const firstCharacters = (text: string, count: number): string =>
  text.length <= count ? text : [...text].slice(0, count).join('')
