// Findings about meaning stand where the author wrote: file, line, column; and none is told that is not true (7).
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { initOrg } from '../compose.ts'
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
const said = async () => (await findings()).map(({ code, component, path }) => `${code} ${component} ${path}`)

beforeEach(() => {
  put('object/invoice.json', invoice)
  put('config_set/vat.json', set())
  put('config_entry/vat/de.json', entry('de'))
})

describe('findings of a directory', () => {
  it('are none where all is right', async () => expect(await findings()).toEqual([]))

  it('name the file, the line and the column of a value', async () => {
    put('config_entry/vat/de.json', entry('de', { values: { rate: '20%' } }))
    expect(await findings()).toMatchObject([
      {
        code: 'config.value_type',
        path: '/body/values/rate',
        facts: { file: 'config_entry/vat/de.json', line: 13, column: 7 },
      },
    ])
  })

  it('name them for what entries say together, and keep the facts of the repairs', async () => {
    put('config_entry/vat/de.json', entry('de', { effectiveTo: '2021-01-01' }))
    const [end] = await findings()
    expect(end).toMatchObject({ code: 'config.range_end', facts: { file: 'config_entry/vat/de.json' } })
    expect(end!.facts!['line']).toBeGreaterThan(1)
    expect(end!.facts!['set']).toBe('vat')
  })
})
