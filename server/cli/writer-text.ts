// Formats a user with the user of the operating system who acted as them.
import type { Writer } from '#kernel/requests/index.ts'
import { shownText } from './shown-text.ts'

export function writerText({ user, operator }: Writer): string {
  return shownText(operator === null ? user : `${user} (${operator})`)
}
