import { describe, expect, it } from 'vitest'
import { systemRandom } from '../system/index.ts'
import { hashPassword, matchesPassword } from './password.ts'

describe('a password', () => {
  it('is hashed as OWASP recommends: 32 MiB, three lanes, a separate salt', async () => {
    const [first, second] = [
      await hashPassword('correct horse battery', 'ann', systemRandom),
      await hashPassword('correct horse battery', 'ann', systemRandom),
    ]
    expect(first).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
    expect(second).not.toBe(first)
    expect(await matchesPassword('correct horse battery', first)).toBe(true)
    expect(await matchesPassword('correct horse batterz', first)).toBe(false)
  })

  it('that was hashed at a different cost still matches', async () => {
    const cheap = '$scrypt$ln=4,r=8,p=1$c2FsdHNhbHRzYWx0c2FsdA$EoVSPZC4RYKB2CErwCmlipwgpfFn0T/z5ifD4UXaZJU'
    expect(await matchesPassword('correct horse battery', cheap)).toBe(true)
    expect(await matchesPassword('correct horse batterz', cheap)).toBe(false)
  })
})
