// Words of a request in an answer: enough to recognise them by, however long they are.

const mostLetters = 500

export function cutWords(text: string): string {
  return text.length > mostLetters ? `${text.slice(0, mostLetters)}…` : text
}
