import { describe, expect, it } from 'vitest'
import { digestOf, isDigest, parseDigest, setDigest, shortDigest } from './digest.ts'
import { nobleSha256 } from './sha256.ts'

// Golden digests, created with a different implementation (Python's hashlib over hand-written canonical text). They
// never change: a change here means that stored bindings no longer identify their content.
const EMPTY = 'jcs1:sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a'
const ENTRY = 'jcs1:sha256:5e01ea56c20833a51588d93005b056a5555427bd671ade8d63dbd13708095b41'
const UNICODE = 'jcs1:sha256:01150dd84ac9849dcce96a3781fb672b0a880abeee2b975d9f4448401ddda967'

describe('digestOf', () => {
  it('returns the golden digests', () => {
    expect(digestOf({}, nobleSha256)).toBe(EMPTY)
    expect(digestOf({ label: 'Österreich 😀 \u202f€' }, nobleSha256)).toBe(UNICODE)
    const entry = {
      type: 'config_entry',
      key: 'vat_rate.de_2007',
      label: 'Germany from 2007',
      body: {
        set: 'vat_rate',
        key: 'DE',
        scope: { kind: 'org' },
        effectiveFrom: '2007-01-01',
        effectiveTo: '2020-07-01',
        values: { rate: '0.1900' },
      },
    }
    expect(digestOf(entry, nobleSha256)).toBe(ENTRY)
  })

  it('distinguishes different content', () => {
    expect(digestOf({ rate: '0.19' }, nobleSha256)).not.toBe(digestOf({ rate: '0.1900' }, nobleSha256))
    expect(digestOf(['a', 'b'], nobleSha256)).not.toBe(digestOf(['b', 'a'], nobleSha256))
  })
})

describe('setDigest', () => {
  const definition = digestOf({}, nobleSha256)
  const entries = [digestOf([], nobleSha256), digestOf(null, nobleSha256)]

  it('returns the golden digests, and depends on the order that the caller sorts', () => {
    expect(setDigest(definition, entries, nobleSha256)).toBe(
      'jcs1:sha256:80f395019ab63d06457bc41b9a7d42ad0b304a61538b3ea793cf5049f39ecd57',
    )
    expect(setDigest(definition, [], nobleSha256)).toBe(
      'jcs1:sha256:88f66927002bad3b030ee372130cbe7286926887a9f44176069e53641f546590',
    )
    expect(setDigest(definition, entries.toReversed(), nobleSha256)).not.toBe(
      setDigest(definition, entries, nobleSha256),
    )
  })
})

describe('the text of a digest', () => {
  it('is recognised only in its exact form', () => {
    expect(parseDigest(EMPTY)).toBe(EMPTY)
    for (const text of [
      EMPTY.slice(0, -1),
      `${EMPTY}0`,
      EMPTY.toUpperCase(),
      EMPTY.slice(5),
      `${EMPTY}\n`,
      '',
    ]) {
      expect(isDigest(text)).toBe(false)
      expect(parseDigest(text)).toBeNull()
    }
  })

  it('has a short form for people', () => {
    expect(shortDigest(digestOf({}, nobleSha256))).toBe('4413 6fa3')
  })
})
