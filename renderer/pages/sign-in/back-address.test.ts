import { describe, expect, it } from 'vitest'
import { backAddress } from './back-address.ts'

const origin = 'http://127.0.0.1:4680'
const back = (target: string): string => backAddress(target, origin, '/sign-in')

describe('the return URL after a sign-in', () => {
  it.each(['/\t/evil.example', '//evil.example', '/\\evil.example', '\\\\evil.example', '/\n/evil.example'])(
    'does not leave the site: %j',
    (target) => {
      expect(back(target)).toBe(`${origin}/`)
    },
  )

  it.each([
    'http://evil.example/',
    'javascript:alert(1)',
    'http://127.0.0.1:9999/x',
    '/sign-in?back=/x',
    'http://[',
  ])('is the start page for %s', (target) => {
    expect(back(target)).toBe(`${origin}/`)
  })

  it('keeps path, question and place, and stays on the site with two slashes in the path', () => {
    expect(back('/changes?view=words#top')).toBe(`${origin}/changes?view=words#top`)
    expect(new URL(back('/.//evil.example')).origin).toBe(origin)
  })
})
