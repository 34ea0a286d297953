import { describe, expect, it } from 'vitest'
import { explainPassword } from './password-rules.ts'

describe('a password', () => {
  it.each([
    'short',
    'elevenchars',
    'password1234',
    'Password!2026',
    'passwordpassword',
    'qwertyuiop12',
    '123456789012',
    'aaaaaaaaaaaa',
    'abababababab',
    'mara.benz2026',
    'almanac-admin-1',
    'x'.repeat(1025),
  ])('that is short or commonly guessed is refused: %s', (password) => {
    expect(explainPassword(password, 'mara.benz')).not.toBeNull()
  })

  it.each(['correct horse battery', 'a quiet password for mara', 'v8#Kq2!mZr4$', '一二三四五六七八九十甲乙'])(
    'of twelve characters or more needs no composition: %s',
    (password) => {
      expect(explainPassword(password, 'mara.benz')).toBeNull()
    },
  )
})
