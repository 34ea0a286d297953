import { expect, it } from 'vitest'
import { formatDraftAuthors } from './writer-words.ts'

const writer = (user: string, operator: string | null = null) => ({ user, operator })
const you = writer('me')
const words = (...users: Parameters<typeof formatDraftAuthors>[0]) =>
  formatDraftAuthors(users, you, (key) => key[0]!.toUpperCase() + key.slice(1)).words

it('up to two writers of a draft are named, and three or more are counted', () => {
  expect(words(writer('maria'))).toBe('Maria')
  expect(words(writer('maria'), you)).toBe('Maria and you')
  expect(words(writer('maria'), you, writer('jon'))).toBe('Maria and 2 more')
  expect(formatDraftAuthors([writer('maria'), you, writer('jon')], you, (key) => key).all).toBe(
    'maria, you, jon',
  )
})

it('an operator who acted as another user, or as you, is named', () => {
  expect(words(writer('maria', 'ulla'), writer('me', 'ulla'))).toBe(
    'Maria (operator ulla) and Me (operator ulla)',
  )
})
