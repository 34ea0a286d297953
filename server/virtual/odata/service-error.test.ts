import { describe, expect, it } from 'vitest'
import { serviceError } from './service-error.ts'

const messageOf = (message: string): string =>
  serviceError(
    { status: 400, headers: {}, text: JSON.stringify({ error: { code: 'E1', message } }) },
    'Orders of erp',
  ).message

describe('the message of a source', () => {
  it.each([
    ['The order is closed.', 'Orders of erp responded with status 400: E1, The order is closed.'],
    ['see https://erp/x?key=1 now', 'Orders of erp responded with status 400: E1, see (URL) now.'],
    ['token: abcd1234 is old', 'Orders of erp responded with status 400: E1, token … is old.'],
  ])('%s', (message, words) => {
    expect(messageOf(message)).toBe(words)
  })

  it.each(['a.', 'a', 'token:', 'a://', '\u00ad', '=.', 'a '])(
    'of megabytes of %j is read at once',
    (piece) => {
      const startedAt = performance.now()
      expect(messageOf(piece.repeat(1_000_000)).length).toBeLessThan(400)
      expect(performance.now() - startedAt).toBeLessThan(5000)
    },
  )

  it('is not quoted up to the middle of a word', () => {
    const key = 'k'.repeat(20)
    expect(messageOf(`${'https://erp/x '.repeat(142)}${key}`)).not.toContain('kkk')
  })
})
