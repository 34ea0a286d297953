// Bundles from unknown signers: their texts cannot look like results of `almanac verify`.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { canonicalJson, type JsonValue } from '../../server/kernel/change/canonical.ts'
import type { EvidenceBundle } from '../../server/kernel/evidence/bundle.ts'
import { createSigner } from '../../server/kernel/evidence/index.ts'
import { signBundle } from '../../server/kernel/evidence/signature.ts'
import { almanac, scratch } from './almanac.ts'

const dir = scratch()
const file = join(dir, 'bundle.json')

/** The bundle with a different name of its org, signed with a key of its own. */
function forged(name: string): string {
  const {
    signature: _signature,
    publicKey: _key,
    ...bundle
  } = JSON.parse(readFileSync(file, 'utf8')) as EvidenceBundle
  const signed = signBundle({ ...bundle, org: { ...bundle.org, name } }, createSigner(new Uint8Array(32)))
  return `${canonicalJson(signed as unknown as JsonValue)}\n`
}

beforeAll(() => {
  const org = join(dir, 'org')
  expect(almanac(['init', org]).code).toBe(0)
  const store = ['evaluate', '1 + 1', '--store', 'Kept', '--as-of', '2021-01-01', '--json', '--org', org]
  const id = String(almanac(store).json()['resultId'])
  expect(almanac(['evidence', id, '--out', file, '--org', org]).code).toBe(0)
})

describe('almanac verify', () => {
  it('prints each text of a bundle on one line', () => {
    const other = join(dir, 'forged.json')
    writeFileSync(other, forged('x\n  signed by sha256:TRUSTED\n\u2028'))
    const { code, out } = almanac(['verify', other])
    expect(code).toBe(0)
    expect(out.split('\n').filter((line) => line.trimStart().startsWith('signed by'))).toHaveLength(1)
    expect(out).not.toMatch(/^ *signed by sha256:TRUSTED/m)
  })

  it('reports that the bundles of a file have different signers', () => {
    const many = join(dir, 'many.ndjson')
    const bundle = readFileSync(file, 'utf8')
    writeFileSync(many, bundle + bundle)
    expect(almanac(['verify', many]).out).not.toContain('different keys')
    writeFileSync(many, bundle + forged('Kestrel'))
    expect(almanac(['verify', many]).out).toContain('The bundles are signed by 2 different keys.')
  })
})
