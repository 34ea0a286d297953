// A user by name, and the user of the operating system who acted as them.
import type { Writer } from '#kernel/requests/index.ts'

export function writerWords({ user, operator }: Writer, nameOf: (key: string) => string): string {
  return operator === null ? nameOf(user) : `${nameOf(user)} (operator ${operator})`
}
