// almanac impact, on an org in a folder and behind a server.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { almanac, scratch, serving } from './almanac.ts'

const dir = scratch()
const [org, out] = [join(dir, 'org'), join(dir, 'out')]

interface Printed {
  impact: { resolution: { total: number } }
  records: {
    fields: {
      object: string
      field: string
      changed: number
      items: { name: string; now: string; after: string }[]
    }[]
    total: number
    looked: number
    next: null
  }
}

it('names the values, and the stored values of records, that a rate would change', async () => {
  expect(almanac(['init', org, '--sample']).code).toBe(0)
  expect(almanac(['retrieve', '--out', out, '--org', org]).code).toBe(0)
  expect(almanac(['impact', out, '--org', org]).out).toContain('No value would change.')
  const file = join(out, 'config_entry', 'vat_rate', 'de_2021_01_01.json')
  writeFileSync(file, readFileSync(file, 'utf8').replace('"rate": "0.1900"', '"rate": "0.2100"'))

  const text = almanac(['impact', out, '--org', org])
  expect(text.code).toBe(0)
  expect(text.out).toMatch(/VAT rate, DE, org +1 Jan 2021 to 31 Dec 2026 +0\.1900, EUR +0\.2100, EUR/)
  expect(text.out).toContain('Invoice, Tax: 3 records would change')

  const printed = almanac(['impact', out, '--org', org, '--json']).json() as unknown as Printed
  const tax = printed.records.fields.find(({ field }) => field === 'tax')!
  expect(printed.records).toMatchObject({ looked: printed.records.total, next: null })
  expect(tax.items).toHaveLength(tax.changed)
  for (const { now, after } of tax.items)
    // Amounts in cents are exact in floating point.
    expect(Math.abs(Number(after) * 19 - Number(now) * 21)).toBeLessThan(0.5)

  // A server returns the same to a client that runs as the user.
  const client = {
    ...{ type: 'integration_client', key: 'reviews', label: 'Reviews' },
    body: { authScheme: 'oauth2_client_credentials', runAs: 'admin' },
  }
  const clients = join(dir, 'clients', 'integration_client')
  mkdirSync(clients, { recursive: true })
  writeFileSync(join(clients, 'reviews.json'), JSON.stringify(client))
  expect(almanac(['apply', join(dir, 'clients'), '--org', org]).code).toBe(0)
  const token = almanac(['token', '--client', 'reviews', '--org', org]).out.trim()
  const server = await serving(['serve', '--org', org, '--port', '0'])
  try {
    const url = server.line['listening']!
    const remote = almanac(['impact', out, '--org', url, '--token', token, '--json'])
    expect(remote.err).toBe('')
    expect((remote.json() as unknown as Printed).records.fields).toEqual(printed.records.fields)
  } finally {
    server.stop()
  }
})

it('needs a directory or drafts', () => {
  expect(almanac(['impact', '--org', org])).toMatchObject({ code: 2, out: '' })
})
