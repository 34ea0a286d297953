import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nobleSha256 } from './sha256.ts'

describe('nobleSha256', () => {
  it('returns the digests of FIPS 180-4', () => {
    expect(nobleSha256('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
    expect(nobleSha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  })

  it('agrees with the platform on any text, over its UTF-8 bytes', () => {
    const text = fc.string({ unit: 'binary', maxLength: 300 })
    fc.assert(
      fc.property(text, (t) => nobleSha256(t) === createHash('sha256').update(t, 'utf8').digest('hex')),
    )
  })
})
