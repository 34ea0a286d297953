// Findings about meaning point to the author's text: file, line, column; and none of them is false.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { initOrg } from '../compose/open-org.ts'
import type { Org } from './org.ts'

let dir: string
let org: Org
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'almanac-places-'))
  org = initOrg(join(dir, 'org'), { name: 'T', environment: 'dev' })
})
afterEach(async () => {
  await org.close()
  rmSync(dir, { recursive: true, force: true })
})

const put = (path: string, json: object | string): void => {
  const file = join(dir, 'files', path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, typeof json === 'string' ? json : JSON.stringify(json, null, 2))
}

const set = (body: object = {}) => ({
  type: 'config_set',
  key: 'vat',
  label: 'VAT',
  body: {
    cardinality: 'keyed',
    keyedBy: { key: 'country', type: 'text' },
    scopes: ['org'],
    effectiveDated: true,
    asOfField: 'invoice.date',
    fields: [{ key: 'rate', label: 'Rate', type: 'number', precision: 5, scale: 4, required: true }],
    ...body,
  },
})
const invoice = {
  type: 'object',
  key: 'invoice',
  label: 'Invoice',
  body: {
    fields: [{ key: 'date', label: 'Date', type: 'date', required: true }],
  },
}
const entry = (slug: string, body: object = {}) => ({
  type: 'config_entry',
  key: `vat.${slug}`,
  label: slug,
  body: {
    set: 'vat',
    key: 'DE',
    scope: { kind: 'org' },
    effectiveFrom: '2020-01-01',
    values: { rate: '0.19' },
    ...body,
  },
})

async function findings() {
  const source = { kind: 'directory', dir: join(dir, 'files') } as const
  const { findings: found } = await org.plan({ source, actor: 'admin' })
  return found
}
const placesOfFindings = async () =>
  (await findings()).map(({ code, component, path }) => `${code} ${component} ${path}`)

beforeEach(() => {
  put('object/invoice.json', invoice)
  put('config_set/vat.json', set())
  put('config_entry/vat/de.json', entry('de'))
})

describe('findings of a directory', () => {
  it('are absent if all is valid', async () => expect(await findings()).toEqual([]))

  it('contain the file, the line and the column of a value', async () => {
    put('config_entry/vat/de.json', entry('de', { values: { rate: '20%' } }))
    expect(await findings()).toMatchObject([
      {
        code: 'config.value_type',
        path: '/body/values/rate',
        facts: { file: 'config_entry/vat/de.json', line: 13, column: 7 },
      },
    ])
  })

  it('contain them for what entries mean together, and keep the data of the repairs', async () => {
    put('config_entry/vat/de.json', entry('de', { effectiveTo: '2021-01-01' }))
    const [end] = await findings()
    expect(end).toMatchObject({ code: 'config.range_end', facts: { file: 'config_entry/vat/de.json' } })
    expect(end!.facts!['line']).toBeGreaterThan(1)
    expect(end!.facts!['set']).toBe('vat')
  })
})

describe('files that cannot be read completely', () => {
  it('are validated on everything that could be read', async () => {
    put(
      'config_entry/vat/de.json',
      entry('de', { effectiveFrom: '2020-02-30', skope: 1, values: { rate: '20%' } }),
    )
    expect((await placesOfFindings()).sort()).toEqual([
      'body.format config_entry/vat.de /body/effectiveFrom',
      'body.unknown_property config_entry/vat.de /body/skope',
      'config.value_type config_entry/vat.de /body/values/rate',
    ])
  })

  it('are not reported as missing by their entries or by what refers to them', async () => {
    put('config_set/vat.json', set({ cardinality: 'keyd' }))
    expect(await placesOfFindings()).toEqual(['body.value config_set/vat /body/cardinality'])
    put('config_set/vat.json', '{')
    expect(await placesOfFindings()).toEqual(['files.json config_set/vat '])
    put('config_set/vat.json', set())
    put('object/invoice.json', { ...invoice, body: { ...invoice.body, plural: 1 } })
    expect(await placesOfFindings()).toEqual(['body.unknown_property object/invoice /body/plural'])
  })

  it('are not reported as gaps', async () => {
    put('config_entry/vat/de.json', entry('de', { effectiveTo: '2021-01-01' }))
    put('config_entry/vat/de2.json', entry('de2', { effectiveFrom: '2021-02-30' }))
    put('config_entry/vat/de3.json', entry('de3', { effectiveFrom: '2022-01-01' }))
    put('config_entry/vat/de4.json', entry('de4', { effectiveFrom: '2023-01-01' }))
    expect(await placesOfFindings()).toEqual([
      'body.format config_entry/vat.de2 /body/effectiveFrom',
      'config.range_overlap config_entry/vat.de4 /body/effectiveFrom',
    ])
  })
})
