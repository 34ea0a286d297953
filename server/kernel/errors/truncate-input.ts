// Truncates request text that a response echoes, and keeps enough of it to recognise it.

const mostLetters = 500

export function truncateInput(text: string): string {
  return text.length > mostLetters ? `${text.slice(0, mostLetters)}…` : text
}

/** Letters of a message that are kept before and after input that it quotes. */
const kept = { before: 2000, after: 500 }

/** Truncates a message that quotes input, and keeps its end, which can contain what to do. */
export function truncateMessage(message: string): string {
  if (message.length <= kept.before + kept.after) return message
  return `${message.slice(0, kept.before).toWellFormed()}…${message.slice(-kept.after).toWellFormed()}`
}
