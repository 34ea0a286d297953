// Secrets are masked in each form in which a server can return them.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { redactor } from './redact.ts'

const base64 = (text: string): string => Buffer.from(text).toString('base64')

describe('redactor', () => {
  const secret = 'pä&+ss/"wörd\\ 1'
  it.each([
    ['as it is', secret],
    ['in JSON', JSON.stringify(secret)],
    ['in JSON within JSON', JSON.stringify(JSON.stringify({ secret }))],
    ['in a URL', encodeURIComponent(secret)],
    ['in a form', new URLSearchParams({ secret }).toString()],
    ['in HTML', secret.replace('&', '&amp;').replace('"', '&quot;')],
    ['in hexadecimal', Buffer.from(secret).toString('hex')],
    ['in upper-case hexadecimal', Buffer.from(secret).toString('hex').toUpperCase()],
    ['in Base64', base64(secret)],
    ['in Base64 for URLs', Buffer.from(secret).toString('base64url')],
  ])('masks a secret %s', (_form, text) => {
    const masked = redactor([secret])(`before ${text} after`)
    expect(masked).toContain('[redacted]')
    expect(masked).toMatch(/^before \S*\[redacted\]\S* after$/)
  })

  it('masks a secret within other bytes in Base64, as in the credentials of Basic authentication', () => {
    const text = fc.string({ unit: 'grapheme-ascii', minLength: 0, maxLength: 12 })
    const secrets = fc.string({ unit: 'grapheme-ascii', minLength: 9, maxLength: 30 })
    fc.assert(
      fc.property(text, secrets, text, (before, secret, after) => {
        const masked = redactor([secret])(base64(`${before}${secret}${after}`))
        expect(masked).toContain('[redacted]')
        // At most what two bytes of the secret contribute to is left.
        const known = base64(`${before}${secret}${after}`).length - base64(secret).length
        expect(masked.replace('[redacted]', '').length).toBeLessThanOrEqual(known + 8)
      }),
    )
  })

  it('leaves a text without the secret, and does not search for a short one', () => {
    expect(redactor(['secret', 'abc', undefined])('abc and YWJj')).toBe('abc and YWJj')
  })
})
