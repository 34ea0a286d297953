// What was known when, for which day: two points compared, and the map of one key.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runningServer, type TestServer } from '../support/running-server.ts'
import { administrator, everything, flag, rate } from '../support/small-org.ts'

interface Answer {
  entry: string
  values: Record<string, unknown>
  from: string | null
  to: string | null
  deployedBy: { generation: number; actor: string } | null
}
interface Compared {
  keys: { key: string | null; a: Answer | null; b: Answer | null; changed: boolean; fields: string[] }[]
  names: { a: string; b: string }
  looked: number
  total: number
  nextCursor: string | null
}
interface Map {
  generations: {
    generation: number
    actor: string
    rationale: string
    segments: { from: string | null; to: string | null; values: Record<string, unknown>; entry: string }[]
    changes: { from: string | null; to: string | null; before: unknown; after: unknown }[]
  }[]
  total: number
  before: number | null
  days: string[]
  earlier: { set: string; until: number } | null
  last: number | null
}

let test: TestServer
const apply = async (body: object): Promise<void> => {
  const { status, text } = await test.studio('POST', '/metadata/v3/apply', body)
  expect([status, text.slice(0, 200)]).toEqual([200, text.slice(0, 200)])
}
beforeAll(async () => {
  test = await runningServer()
  await apply({ components: everything, rationale: 'The start.' })
  await apply({
    components: [
      rate('de_2021', 'DE', '2021-01-01', '2027-01-01', '0.19'),
      rate('de_2027', 'DE', '2027-01-01', null, '0.21'),
    ],
    rationale: 'The law.',
  })
  await apply({ components: [rate('fr_2014', 'FR', '2014-01-01', null, '0.2')] })
  await apply({ components: [rate('de_2027', 'DE', '2027-01-01', null, '0.22')], rationale: 'Corrected.' })
})
afterAll(() => test.close())

const compare = async (body: object, headers = {}) =>
  test.studio<Compared>('POST', '/setup/v3/compare-points', { set: 'vat_rate', ...body }, headers)
const map = async (body: object) =>
  (await test.studio<Map>('POST', '/setup/v3/key-map', { set: 'vat_rate', ...body })).body

describe('two points', () => {
  it('of two generations on one day compare only keys that changed in between', async () => {
    const asOf = '2027-06-01'
    const { body } = await compare({ a: { generation: 2, asOf }, b: { generation: 5, asOf } })
    expect([body.looked, body.total, body.nextCursor]).toEqual([2, 2, null])
    expect(
      body.keys.map(({ key, a, b, fields }) => [key, a?.values['rate'], b?.values['rate'], fields]),
    ).toEqual([
      ['DE', '0.1900', '0.2200', ['rate']],
      ['FR', undefined, '0.2000', ['rate']],
    ])
    expect(body.keys[0]!.b).toMatchObject({
      entry: 'vat_rate.de_2027',
      from: '2027-01-01',
      to: null,
      deployedBy: { generation: 5, actor: 'admin' },
    })
    const before = await compare({
      a: { generation: 2, asOf: '2026-06-01' },
      b: { generation: 5, asOf: '2026-06-01' },
    })
    expect(before.body.keys.map(({ key }) => key)).toEqual(['FR'])
  })

  it('of two days compare every key, page by page', async () => {
    const ask = {
      a: { generation: 5, asOf: '2020-08-01' },
      b: { generation: 5, asOf: '2021-02-01' },
      limit: 1,
      changed: false,
    }
    const seen: [string | null, boolean][] = []
    let cursor: string | null | undefined
    do {
      const { body } = await compare({ ...ask, ...(cursor == null ? {} : { cursor }) })
      expect(body.total).toBe(3)
      seen.push(...body.keys.map(({ key, changed }): [string | null, boolean] => [key, changed]))
      cursor = body.nextCursor
    } while (cursor !== null)
    expect(seen).toEqual([
      ['AT', false],
      ['DE', true],
      ['FR', false],
    ])
    expect((await compare({ ...ask, cursor: 'x' })).body).toMatchObject({ code: 'request.malformed' })
  })

  it('of one key compare only that key, even if nothing differs', async () => {
    const point = { generation: 5, asOf: '2027-06-01' }
    const { body } = await compare({ a: point, b: point, key: 'DE', changed: false })
    expect(body.keys).toMatchObject([{ key: 'DE', changed: false, a: { from: '2027-01-01', to: null } }])
    expect([body.looked, body.total]).toEqual([1, 1])
    const nobody = await compare({ a: point, b: point, key: 'XX', changed: false })
    expect(nobody.body.keys).toMatchObject([{ key: 'XX', a: null, b: null }])
  })

  it('require a day for a dated set, and show only what the caller can see of the set', async () => {
    const none = await compare({ a: { generation: 2, asOf: null }, b: { generation: 5, asOf: null } })
    expect(none.body).toMatchObject({ code: 'config.as_of_required' })
    const point = { generation: 5, asOf: null }
    const sealed = await compare({ set: 'sealed', a: point, b: point })
    expect(sealed.body).toMatchObject({ code: 'access.denied' })
    const unknown = await compare({ set: 'vat_rat', a: point, b: point })
    expect(unknown.body).toMatchObject({
      code: 'config.unknown_set',
      detail: expect.stringContaining('"vat_rate"') as string,
    })
  })

  it('of a flag compare its default', async () => {
    await apply({
      components: [
        { ...flag('2099-12-31'), body: { ...(flag('2099-12-31') as { body: object }).body, default: true } },
      ],
    })
    const { body } = await compare({
      set: 'new_invoice',
      a: { generation: 5, asOf: null },
      b: { generation: 6, asOf: null },
    })
    expect(body.keys).toEqual([
      expect.objectContaining({
        key: null,
        changed: true,
        fields: ['value'],
        b: expect.objectContaining({ entry: 'new_invoice', values: { value: true } }) as object,
      }),
    ])
  })
})

describe('the map of a key', () => {
  it('has a row for each generation that changed it, with its days and its changes', async () => {
    const keyMap = await map({ key: 'DE' })
    expect(keyMap.generations.map(({ generation, rationale }) => [generation, rationale])).toEqual([
      [5, 'Corrected.'],
      [3, 'The law.'],
      [2, 'The start.'],
    ])
    expect(keyMap.generations[0]!.segments.map(({ from, to, values }) => [from, to, values['rate']])).toEqual(
      [
        ['2007-01-01', '2020-07-01', '0.1900'],
        ['2020-07-01', '2021-01-01', '0.1600'],
        ['2021-01-01', '2027-01-01', '0.1900'],
        ['2027-01-01', null, '0.2200'],
      ],
    )
    expect(keyMap.generations.map(({ changes }) => changes.map(({ from, to }) => [from, to]))).toEqual([
      [['2027-01-01', null]],
      [['2027-01-01', null]],
      [
        ['2007-01-01', '2020-07-01'],
        ['2020-07-01', '2021-01-01'],
        ['2021-01-01', null],
      ],
    ])
    expect(keyMap.days).toEqual(['2007-01-01', '2020-07-01', '2021-01-01', '2027-01-01'])
    expect([keyMap.total, keyMap.before, keyMap.earlier]).toEqual([3, null, null])
  })

  it('is paged by generation, and the changes of a page are relative to the generation below', async () => {
    const first = await map({ key: 'DE', limit: 1 })
    expect([first.generations.length, first.before]).toEqual([1, 5])
    expect(first.generations[0]!.changes).toHaveLength(1)
    const second = await map({ key: 'DE', limit: 5, before: first.before! })
    expect(second.generations.map(({ generation }) => generation)).toEqual([3, 2])
  })

  it('follows a rename to its origin', async () => {
    const { body } = await test.studio<{ component: object }>(
      'GET',
      '/metadata/v3/components/config_set/vat_rate',
    )
    await apply({ components: [{ ...body.component, key: 'vat', renamedFrom: 'vat_rate' }] })
    const keyMap = await map({ set: 'vat', key: 'DE' })
    expect(keyMap.earlier).toEqual({ set: 'vat_rate', until: 6 })
    expect(keyMap.generations.map(({ generation }) => generation)).toEqual([7, 5, 3, 2])
    expect([keyMap.generations[0]!.changes, keyMap.generations[1]!.changes.length]).toEqual([[], 1])
    const asOf = '2027-06-01'
    const points = await compare({ set: 'vat', a: { generation: 2, asOf }, b: { generation: 7, asOf } })
    expect(points.body.names).toEqual({ a: 'vat_rate', b: 'vat' })
    expect(points.body.keys.map(({ key }) => key)).toEqual(['DE', 'FR'])
  })

  it('of a removed set is found under its old name, and ends with the removal', async () => {
    const one = { type: 'config_set', key: 'short', label: 'Short' }
    const body = { ...{ cardinality: 'singleton', scopes: ['org'] }, fields: [{ key: 'n', type: 'text' }] }
    await apply({
      components: [
        { ...one, body: { ...body, ...administrator } },
        {
          ...{ type: 'config_entry', key: 'short.org', label: 'Short' },
          body: { set: 'short', scope: { kind: 'org' }, values: { n: 'x' } },
        },
      ],
    })
    await apply({ removals: ['config_set/short', 'config_entry/short.org'] })
    const found = await map({ set: 'short' })
    expect([found.last, found.generations.map(({ segments }) => segments.length)]).toEqual([8, [0, 1]])
    const never = await test.studio('POST', '/setup/v3/key-map', { set: 'never' })
    expect(never.body).toMatchObject({ code: 'config.unknown_set' })
  })
})
