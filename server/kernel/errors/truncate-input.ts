// Truncates request text that a response echoes, and keeps enough of it to recognise it.

const mostLetters = 500

export function truncateInput(text: string): string {
  return text.length > mostLetters ? `${text.slice(0, mostLetters)}…` : text
}
