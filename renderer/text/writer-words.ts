// The name of a user, and of the operating system user who acted as them.
import type { Contributor } from '#kernel/requests/index.ts'

export function writerWords({ user, operator }: Contributor, nameOf: (key: string) => string): string {
  return operator === null ? nameOf(user) : `${nameOf(user)} (operator ${operator})`
}

export interface DraftAuthors {
  /** "Maria", "Maria and you", "Maria and 2 more". */
  words: string
  /** All of them. */
  all: string
}

/** The writers of a draft; `you` is the user who reads this, with their operator. */
export function formatDraftAuthors(
  writers: readonly Contributor[],
  you: Contributor | null,
  nameOf: (key: string) => string,
): DraftAuthors {
  const isYou = ({ user, operator }: Contributor): boolean => user === you?.user && operator === you.operator
  const names = writers.map((writer) => (isYou(writer) ? 'you' : writerWords(writer, nameOf)))
  const [first = '', second] = names
  const words =
    names.length > 2 ? `${first} and ${names.length - 1} more` : [first, second ?? []].flat().join(' and ')
  return { words, all: names.join(', ') }
}
