// Formats a user with the user of the operating system who acted as them.
import type { Contributor } from '#kernel/requests/index.ts'
import { printableText } from './printable-text.ts'

export function writerText({ user, operator }: Contributor): string {
  return printableText(operator === null ? user : `${user} (${operator})`)
}
