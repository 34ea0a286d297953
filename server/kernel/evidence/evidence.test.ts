import { describe, expect, it } from 'vitest'
import { entry, buildComponent, normalised } from '../../../test/support/metadata.ts'
import { snapshotOver } from '../../../test/support/snapshot.ts'
import { canonicalJson, type JsonValue } from '../change/canonical.ts'
import { componentDigest } from '../change/component-digest.ts'
import { nobleSha256 } from '../change/sha256.ts'
import type { Component } from '../components/body-types.ts'
import { parseAsOf, evaluateWithBinding, type Evaluation } from '../config/bound-evaluation.ts'
import type { EvidenceBundle } from './bundle.ts'
import { makeBundle, createSigner, verifyBundle } from './index.ts'
import { decodeStrictUtf8 } from './strict-utf8.ts'

const utf8 = new TextEncoder()
const signer = createSigner(new Uint8Array(32).fill(7))
const other = createSigner(new Uint8Array(32).fill(8))

const dated = (
  key: string,
  country: string,
  rate: string,
  effectiveFrom: string,
  effectiveTo: string | null,
) => entry(key, { key: country, effectiveFrom, effectiveTo, values: { rate, note: 'Grüße, 日本' } } as never)
const components: Component[] = normalised([
  buildComponent('config_set', 'vat', {
    cardinality: 'keyed',
    keyedBy: { key: 'country', type: 'enum', valueSet: 'country' },
    effectiveDated: true,
    asOfField: 'invoice.on',
    scopes: ['org', 'environment'],
    fields: [
      { key: 'rate', type: 'number', precision: 6, scale: 4 },
      { key: 'note', type: 'text' },
    ],
  }),
  buildComponent('value_set', 'country', {
    values: [
      { key: 'DE', label: 'Germany' },
      { key: 'AT', label: 'Austria' },
    ],
  }),
  dated('vat.de_1', 'DE', '0.16', '1998-04-01', '2007-01-01'),
  dated('vat.de_2', 'DE', '0.19', '2007-01-01', null),
  dated('vat.at_1', 'AT', '0.20', '1984-01-01', null),
  buildComponent('feature_flag', 'rounding', { owner: 'user:mara', expiresOn: '2027-01-01', default: true }),
  buildComponent('calc_function', 'gross', {
    params: [
      { key: 'net', type: 'number' },
      { key: 'country', type: 'text' },
    ],
    returns: 'number',
    expression: 'net * (1 + config.vat(country).rate)',
  }),
])

const evaluation: Evaluation = {
  expression: 'flag.rounding ? round(gross(amount, "DE"), 2) : gross(amount, "DE")',
  inputs: [{ key: 'amount', type: 'number', value: '99.99' }],
  asOf: parseAsOf('2006-05-05'),
  scopePath: { environment: 'prod' },
}
const snapshot = snapshotOver(components, 4)
const evaluated = evaluateWithBinding(evaluation, snapshot)
const result = {
  id: 'r1',
  label: 'A price, für Müller',
  at: '2026-01-01T00:00:00.000Z',
  actor: 'mara',
  expression: evaluation.expression,
  inputs: evaluation.inputs,
  value: evaluated.value,
  binding: evaluated.binding,
}
const input = {
  org: { lineage: 'l1', name: 'acme', environment: 'dev' },
  generation: { generation: 4, at: '2026-01-01T00:00:00.000Z', actor: 'mara', changeDigest: 'x' },
  result,
  snapshot,
}
const text = makeBundle(input, signer)
const contentOf = (): EvidenceBundle => JSON.parse(text) as EvidenceBundle
const textOf = (bundle: unknown): string => `${canonicalJson(bundle as JsonValue)}\n`

/** Signs changed content again, as a forger with their own key would. */
function resigned(change: (bundle: EvidenceBundle) => void): string {
  const bundle = contentOf()
  change(bundle)
  const { signature: _signature, publicKey: _publicKey, ...unsigned } = bundle
  const withKey = { ...unsigned, publicKey: Buffer.from(other.publicKey()).toString('hex') }
  const message = utf8.encode(canonicalJson(withKey as unknown as JsonValue))
  return textOf({ ...withKey, signature: Buffer.from(other.sign(message)).toString('hex') })
}

describe('an evidence bundle', () => {
  it('replays without an org, and reports the key that signed it', () => {
    const verified = verifyBundle(text)
    expect(verified).toMatchObject({ ok: true, value: '"115.99"', type: 'number' })
    expect(verified.fingerprint).toMatch(/^sha256:[0-9a-f]{64}$/)
    expect(verifyBundle(utf8.encode(text)).ok).toBe(true)
  })
  it('contains the revisions that the replay reads, and only digests of the others', () => {
    const { components: carried, sets } = contentOf()
    const ids = carried.map(({ component }) => `${component.type}/${component.key}`)
    expect(ids).toEqual([
      'calc_function/gross',
      'config_entry/vat.de_1',
      'config_entry/vat.de_2',
      'config_set/vat',
      'feature_flag/rounding',
      'value_set/country',
    ])
    expect(sets.map(({ set, entries }) => [set, entries.length])).toEqual([
      ['rounding', 0],
      ['vat', 3],
    ])
  })
  it('is the same text whenever it is created', () => {
    expect(makeBundle(input, signer)).toBe(text)
  })
  it('is refused after any change to a single byte', () => {
    const bytes = utf8.encode(text)
    const count = 1000
    for (let turn = 0; turn < count; turn += 1) {
      const at = Math.floor((turn * bytes.length) / count)
      const changed = bytes.slice()
      // Each kind of change in turn: one bit, a different case, a space, a byte that is not UTF-8.
      changed[at] = [bytes[at]! ^ (1 << (turn % 8)), bytes[at]! ^ 0x20, 0x20, 0xf0][turn % 4]!
      if (changed[at] === bytes[at]) changed[at] = bytes[at]! ^ 1
      const verified = verifyBundle(changed)
      expect(verified.ok, `byte ${at} as ${changed[at]}`).toBe(false)
    }
  })
  it('is refused after a byte is added or removed, even if JSON is not affected', () => {
    const spaced = text.replace('{', '{ ')
    for (const changed of [
      spaced,
      ` ${text}`,
      `${text}\n`,
      text.trimEnd(),
      `${text.trimEnd()}\r\n`,
      `\ufeff${text}`,
    ])
      expect(verifyBundle(changed).ok).toBe(false)
    expect(verifyBundle(text.replace(/"signature":"[^"]+"/, (hex) => hex.toUpperCase())).ok).toBe(false)
    expect(verifyBundle(text.replace('"format"', '"format":"almanac-evidence/1","format"')).ok).toBe(false)
  })
  it.each<[string, (bundle: EvidenceBundle) => void, RegExp]>([
    ['a different value', (bundle) => void (bundle.result.value = '"1"'), /replay gives/],
    [
      'a different input',
      (bundle) => void (bundle.result.inputs = [{ ...evaluation.inputs[0]!, value: '1' }]),
      /replay gives/,
    ],
    ['a different expression', (bundle) => void (bundle.result.expression = '"115.99"'), /replay/],
    [
      'a different as-of',
      (bundle) => void (bundle.result.binding.asOf = parseAsOf('2020-01-01')),
      /replay gives/,
    ],
    ['a different generation', (bundle) => void (bundle.result.binding.generation = 5), /generation/],
    ['a removed entry', (bundle) => void bundle.components.splice(1, 1), /replay failed/],
    [
      'an entry omitted from the set',
      (bundle) => void bundle.sets[1]!.entries.pop(),
      /configuration digest of vat/,
    ],
    ['an omitted set', (bundle) => void bundle.sets.pop(), /does not contain the bound set vat/],
    [
      'a changed entry and digest',
      (bundle) => {
        const changed = { ...bundle.components[1]!.component, label: 'x' } as Component
        bundle.components[1] = { component: changed, digest: componentDigest(changed, nobleSha256) }
      },
      /not an entry of the bound revision/,
    ],
    [
      'a changed function and digest',
      (bundle) => {
        const before = bundle.components[0]!.component as Extract<Component, { type: 'calc_function' }>
        const changed = { ...before, body: { ...before.body, expression: 'net' } }
        bundle.components[0] = { component: changed, digest: componentDigest(changed, nobleSha256) }
      },
      /gross is not what the binding recorded|replay/,
    ],
    [
      'a changed definition and digest',
      (bundle) => {
        const at = bundle.components.findIndex(({ component }) => component.type === 'config_set')
        const changed = { ...bundle.components[at]!.component, label: 'x' } as Component
        bundle.components[at] = { component: changed, digest: componentDigest(changed, nobleSha256) }
      },
      /definition of vat/,
    ],
    [
      'a component that is not in its normal form',
      (bundle) => {
        const flag = bundle.components.find(({ component }) => component.type === 'feature_flag')!
        Object.assign(flag.component.body, { owner: 'user:mara' })
        flag.digest = componentDigest(flag.component, nobleSha256)
      },
      /normal form/,
    ],
    ['a digest', (bundle) => void (bundle.components[0]!.digest = bundle.components[1]!.digest), /digest of/],
  ])('that a different signer signed again with %s is refused', (_name, change, reason) => {
    const verified = verifyBundle(resigned(change))
    expect(verified.ok).toBe(false)
    expect(verified.ok ? '' : verified.reasons.join('\n')).toMatch(reason)
  })
  it('that another signer signed again unchanged has a different fingerprint, which a pinned key refuses', () => {
    const forged = resigned(() => {})
    const original = verifyBundle(text)
    const verified = verifyBundle(forged)
    expect(verified.ok).toBe(true)
    expect(verified.fingerprint).not.toBe(original.fingerprint)
    const pinned = verifyBundle(forged, { expectedKey: original.fingerprint! })
    expect(pinned).toMatchObject({ ok: false })
    expect(verifyBundle(text, { expectedKey: original.fingerprint! }).ok).toBe(true)
    expect(verifyBundle(text, { expectedKey: contentOf().publicKey }).ok).toBe(true)
  })
  it('is not made for a result that does not replay', () => {
    expect(() => makeBundle({ ...input, result: { ...result, value: '"1"' } }, signer)).toThrow(
      expect.objectContaining({ code: 'binding.differs' }),
    )
  })
  it('refuses a text that is not a bundle', () => {
    for (const nonsense of ['', '{}', 'null', '[]', 'x'.repeat(100)])
      expect(verifyBundle(nonsense).ok).toBe(false)
  })
})

describe('strict UTF-8', () => {
  it('decodes what is well formed, runs longer than a piece too', () => {
    for (const sample of ['', 'abc', 'aé日😀b', '日'.repeat(9000), 'x'.repeat(20_000), '\ufeffa'])
      expect(decodeStrictUtf8(utf8.encode(sample))).toBe(sample)
  })
  it('refuses what is not well formed', () => {
    for (const bytes of [
      [0x80],
      [0xc0, 0x80],
      [0xe2, 0x82],
      [0xed, 0xa0, 0x80],
      [0xf8, 0x88, 0x80, 0x80, 0x80],
    ])
      expect(decodeStrictUtf8(new Uint8Array(bytes))).toBeNull()
  })
})
