// A stored result outlives the names of what it reads: it is replayed, proved and listed after a rename and after a
// removal (docs/reference/bindings-and-evidence.md).
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { almanac, entry, invoice, scratch, vatRate, writeComponents } from './almanac.ts'

const dir = scratch()
const org = join(dir, 'org')
const at = (...args: string[]) => almanac([...args, '--org', org])
const DE = (rate: string) => entry('de_2007', 'DE', '2007-01-01', null, rate)
let id = ''

/** What admin, who has a grant, can do with the result, and what nob, who has none, cannot do. */
const proved = () => {
  expect(at('replay', '--result', id, '--json').json()).toMatchObject({ value: '"119"', identical: true })
  expect(at('evidence', id, '--json').code).toBe(0)
  expect(at('results', '--json').json()).toMatchObject({ results: [{ id }] })
  expect(at('replay', '--result', id, '--as', 'nob').err).toMatch(/^binding\.not_found/)
  expect(at('results', '--as', 'nob', '--json').json()).toEqual({ results: [] })
}

beforeAll(() => {
  almanac(['init', org])
  at('user', 'add', 'nob')
  expect(at('apply', writeComponents(join(dir, 'first'), [invoice, vatRate, DE('0.19')])).code).toBe(0)
  const stored = at(
    'evaluate',
    '100 * (1 + config.vat_rate("DE").rate)',
    '--as-of',
    '2020-01-01',
    '--store',
    'A price',
    '--json',
  )
  id = (stored.json() as Record<string, string>)['resultId']!
})

describe('a result whose set is renamed', () => {
  const renamed = { ...vatRate, key: 'vat', renamedFrom: 'vat_rate' }
  beforeAll(() => {
    expect(at('apply', writeComponents(join(dir, 'renamed'), [renamed])).code).toBe(0)
  })

  it('is proved as before', proved)

  it('is visible by the grants that the set has today', () => {
    const { edit: _edit, read: _read, ...body } = vatRate.body
    const closed = { ...vatRate, key: 'vat', body }
    expect(at('apply', writeComponents(join(dir, 'closed'), [closed])).code).toBe(0)
    expect(at('replay', '--result', id).err).toMatch(/^binding\.not_found/)
    expect(at('apply', writeComponents(join(dir, 'opened'), [{ ...vatRate, key: 'vat' }])).code).toBe(0)
  })

  it("is recomputed under today's name, and the output states that", () => {
    const later = { ...DE('0.25'), key: 'vat.de_2007', body: { ...DE('0.25').body, set: 'vat' } }
    expect(at('apply', writeComponents(join(dir, 'later'), [later])).code).toBe(0)
    const { value, reasons } = at('recompute', '--result', id, '--json').json() as unknown as {
      value: string
      reasons: string[]
    }
    expect(value).toBe('"125"')
    expect(reasons).toEqual([
      'vat_rate has been called vat since generation 3, by admin.',
      expect.stringContaining('vat.de_2007 by admin in generation 6'),
    ])
  })
})

describe('a result whose set has its old name again', () => {
  it('is recomputed under that name', () => {
    expect(at('rollback', '2').code).toBe(0)
    expect(at('recompute', '--result', id, '--json').json()).toMatchObject({ value: '"119"', changed: false })
    expect(at('rollback', '6').code).toBe(0)
  })
})

describe('a result whose set is removed', () => {
  beforeAll(() => {
    const rest = join(dir, 'rest')
    at('retrieve', '--out', rest)
    rmSync(join(rest, 'config_set'), { recursive: true })
    rmSync(join(rest, 'config_entry'), { recursive: true })
    expect(at('apply', rest, '--prune').code).toBe(0)
  })

  it('is proved as before, by the grants that the set had', proved)

  it('cannot be recomputed today, and the reason is shown', () => {
    expect(at('recompute', '--result', id, '--json').json()).toMatchObject({
      code: 'config.unknown_set',
      detail: expect.stringMatching(
        /^The configuration set vat_rate, .* was removed by generation 9, .* A replay shows/,
      ) as string,
    })
  })
})
