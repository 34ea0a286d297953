// The reasons for which a user can see a record.
import { expect, it } from 'vitest'
import { reasonWords } from './viewer-words.ts'

it.each([
  [{ kind: 'owner', access: 'read_write' }, 'owner'],
  [{ kind: 'sharing_rule', access: 'read', rule: 'home', permissionSet: 'desk' }, 'sharing rule home'],
  [{ kind: 'default', access: 'read' }, 'shared with all users'],
] as const)('%j is shown as %s', (reason, words) => {
  expect(reasonWords(reason)).toBe(words)
})
