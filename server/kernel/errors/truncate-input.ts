// Shortens a text of a request that a response repeats, to a length at which it can still be recognised.

const mostLetters = 500

export function truncateInput(text: string): string {
  return text.length > mostLetters ? `${text.slice(0, mostLetters)}…` : text
}
