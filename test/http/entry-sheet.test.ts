// The requests of a sheet of entries: rows as columns, drafts of a set, many drafts in one step.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dateOf, dayOf, parseCivilDate, type DayNumber } from '#kernel/dates/civil-date.ts'
import { runningServer, type TestServer } from '../support/running-server.ts'
import { administrator, everything, rate } from '../support/small-org.ts'

interface Columns {
  digest: string
  rows: number
  slugs: string[]
  keys: string[]
  keyOf: number[]
  scopes: object[]
  scopeOf: number[]
  from: number[]
  to: (number | null)[]
  priority?: (number | null)[]
  values: Record<string, (string | boolean | null)[]>
}

const inTest = {
  type: 'config_entry',
  key: 'vat_rate.de_test',
  label: 'DE in test',
  body: {
    set: 'vat_rate',
    key: 'DE',
    scope: { kind: 'environment', environment: 'test' },
    effectiveFrom: '2022-01-01',
    effectiveTo: null,
    values: { rate: '0' },
  },
}

let test: TestServer
beforeAll(async () => {
  test = await runningServer()
  await test.studio('POST', '/metadata/v3/apply', { components: [...everything, inTest] })
})
afterAll(() => test.close())

const rowsPath = '/metadata/v3/components/config_set/vat_rate/entries'
const draftsPath = '/metadata/v3/components/config_set/vat_rate/entry-drafts'

describe('rows as columns', () => {
  it('are ordered by key, then the chain, then the latest first', async () => {
    const { status, body } = await test.studio<Columns>('GET', rowsPath)
    expect(status).toBe(200)
    const rows = body.slugs.map((slug, at) => [
      slug,
      body.keys[body.keyOf[at]!],
      body.scopes[body.scopeOf[at]!],
      dateOf(body.from[at] as DayNumber),
      body.to[at],
      body.values['rate']![at],
    ])
    const june = dayOf(parseCivilDate('2020-07-01')!)
    const newYear = dayOf(parseCivilDate('2021-01-01')!)
    expect(rows).toEqual([
      ['at_1995', 'AT', { kind: 'org' }, '1995-01-01', null, '0.2000'],
      ['de_test', 'DE', inTest.body.scope, '2022-01-01', null, '0.0000'],
      ['de_2021', 'DE', { kind: 'org' }, '2021-01-01', null, '0.1900'],
      ['de_2020', 'DE', { kind: 'org' }, '2020-07-01', newYear, '0.1600'],
      ['de_2007', 'DE', { kind: 'org' }, '2007-01-01', june, '0.1900'],
    ])
    expect(body.rows).toBe(5)
    expect(body.priority).toBeUndefined()
  })

  it('are not sent again if the set has not changed', async () => {
    const first = await test.studio<Columns>('GET', rowsPath)
    const tag = first.headers.get('etag')!
    expect(tag).toContain(first.body.digest)
    const again = await test.studio('GET', rowsPath, undefined, { 'if-none-match': tag })
    expect([again.status, again.text]).toEqual([304, ''])
    await test.studio('POST', '/metadata/v3/apply', {
      components: [rate('fr_2014', 'FR', '2014-01-01', null, '0.2')],
    })
    const moved = await test.studio<Columns>('GET', rowsPath, undefined, { 'if-none-match': tag })
    expect([moved.status, moved.body.keys]).toEqual([200, ['AT', 'DE', 'FR']])
    const before = await test.studio<Columns>('GET', `${rowsPath}?generation=2`)
    expect(before.body.keys).toEqual(['AT', 'DE'])
  })

  it('have no dates, keys and ranks if the set has none, and no default of a flag', async () => {
    const { body } = await test.studio<Columns>('GET', '/metadata/v3/components/config_set/greeting/entries')
    expect(body).toMatchObject({ rows: 1, slugs: ['all'], values: { words: ['Good day'] } })
    expect(Object.keys(body).sort()).toEqual(['digest', 'rows', 'scopeOf', 'scopes', 'slugs', 'values'])
    const flag = await test.studio<Columns>('GET', '/metadata/v3/components/feature_flag/new_invoice/entries')
    expect(flag.body).toMatchObject({ rows: 0, values: { value: [] } })
  })

  it('order numbers by value and contain ranks if they matter', async () => {
    const tier = {
      type: 'config_set',
      key: 'tier',
      label: 'Tier',
      body: {
        cardinality: 'keyed',
        keyedBy: { key: 'from', type: 'number' },
        scopes: ['permission_set', 'org'],
        fields: [{ key: 'name', type: 'text', required: true }],
        ...administrator,
      },
    }
    const entry = (slug: string, key: string, more: object = {}): object => ({
      type: 'config_entry',
      key: `tier.${slug}`,
      label: slug,
      body: { set: 'tier', key, scope: { kind: 'org' }, values: { name: slug }, ...more },
    })
    const narrow = { scope: { kind: 'permission_set', permissionSet: 'readers' }, priority: 7 }
    const components = [tier, entry('ten', '10'), entry('nine', '9'), entry('for_readers', '9', narrow)]
    expect((await test.studio('POST', '/metadata/v3/apply', { components })).status).toBe(200)
    const { body } = await test.studio<Columns>('GET', '/metadata/v3/components/config_set/tier/entries')
    expect(body).toMatchObject({ slugs: ['for_readers', 'nine', 'ten'], priority: [7, null, null] })
  })

  it('contain labels separately', async () => {
    const { body } = await test.studio<{ slugs: string[]; labels: string[] }>(
      'GET',
      '/metadata/v3/components/config_set/greeting/entry-labels',
    )
    expect(body).toMatchObject({ slugs: ['all'], labels: ['For all'] })
  })

  it('are empty, without an error, for a set that is only a draft', async () => {
    const draft = {
      type: 'config_set',
      key: 'planned',
      label: 'Planned',
      body: { ...administrator, cardinality: 'singleton', scopes: ['org'], fields: [] },
    }
    const path = '/metadata/v3/components/config_set/planned'
    const text = JSON.stringify(draft)
    await test.studio('PUT', '/setup/v3/drafts/config_set/planned', { text, version: 0 })
    const { status, body } = await test.studio<Columns>('GET', `${path}/entries`)
    expect([status, body.rows, body.slugs]).toEqual([200, 0, []])
    expect((await test.studio('GET', `${path}/entry-labels`)).status).toBe(200)
    await test.studio('DELETE', '/setup/v3/drafts/config_set/planned')
    expect((await test.studio('GET', `${path}/entries`)).status).toBe(404)
  })

  it('count the stored results that bind the set', async () => {
    const bound = () =>
      test.studio<{ bound: number }>('GET', '/metadata/v3/components/config_set/vat_rate/bound-results')
    expect((await bound()).body).toEqual({ bound: 0 })
    const request = { expression: 'config.vat_rate("DE").rate', inputs: {}, asOf: '2025-09-02', store: 'One' }
    const stored = await test.studio<{ resultId: string }>('POST', '/setup/v3/evaluate', request)
    expect((await bound()).body).toEqual({ bound: 1 })
    await test.studio('POST', `/setup/v3/results/${stored.body.resultId}/archive`)
    expect((await bound()).body).toEqual({ bound: 0 })
    const missing = await test.studio('GET', '/metadata/v3/components/config_set/none/bound-results')
    expect([missing.status, missing.body['code']]).toEqual([404, 'config.unknown_set'])
  })

  it('are refused for a set that does not exist, and for values that are hidden', async () => {
    const missing = await test.studio('GET', '/metadata/v3/components/config_set/none/entries')
    expect([missing.status, missing.body['code']]).toEqual([404, 'config.unknown_set'])
    const sealed = await test.studio('GET', '/metadata/v3/components/config_set/sealed/entries')
    expect([sealed.status, sealed.body['code']]).toEqual([403, 'access.denied'])
  })
})

describe('many drafts in one step', () => {
  const keep = (drafts: object[]) =>
    test.studio<{ versions: number[] }>('PUT', '/setup/v3/drafts', { drafts })
  const draftsOf = async () =>
    (await test.studio<{ drafts: { id: string; text: string | null; version: number }[] }>('GET', draftsPath))
      .body.drafts
  const de = 'config_entry/vat_rate.de_2021'
  const fresh = 'config_entry/vat_rate.de_2027'
  const text = JSON.stringify(rate('de_2027', 'DE', '2027-01-01', null, '0.21'))

  it('saves edits over the active entries, texts as typed, and removals', async () => {
    const edits = [{ path: ['body', 'effectiveTo'], value: '2027-01-01' }]
    const { status, body } = await keep([
      { id: de, version: 0, edits },
      { id: fresh, version: 0, text },
      { id: 'config_entry/vat_rate.at_1995', version: 0, text: null },
    ])
    expect([status, body.versions]).toEqual([200, [1, 1, 1]])
    const drafts = await draftsOf()
    expect(drafts.map((draft) => draft.id)).toEqual(['config_entry/vat_rate.at_1995', de, fresh])
    const [, edited, added] = drafts
    expect(added!.text).toBe(text)
    // Formatted like a component file: sorted keys, two spaces.
    expect(edited!.text).toMatch(
      /^\{\n {2}"body": \{\n {4}"effectiveFrom": "2021-01-01",\n {4}"effectiveTo": "2027-01-01"/,
    )
  })

  it('changes only the bytes of the value in a text as typed', async () => {
    const { body } = await keep([
      { id: fresh, version: 1, edits: [{ path: ['body', 'values', 'rate'], value: '21 %' }] },
    ])
    expect(body.versions).toEqual([2])
    expect((await draftsOf())[2]!.text).toBe(text.replace('0.21', '21 %'))
  })

  it('saves none if one has changed, and names each', async () => {
    const { status, body } = await test.studio('PUT', '/setup/v3/drafts', {
      drafts: [
        { id: 'config_entry/vat_rate.de_2007', version: 0, edits: [{ path: ['label'], value: 'x' }] },
        { id: de, version: 0, edits: [] },
        { id: fresh, version: 7, drop: true },
      ],
    })
    expect([status, body['code']]).toEqual([409, 'conflict.stale_draft'])
    expect(body['details']).toMatchObject([
      { id: de, version: 1 },
      { id: fresh, version: 2 },
    ])
    expect((await draftsOf()).map(({ version }) => version)).toEqual([1, 1, 2])
  })

  it('leaves no draft if the edits equal the active entry', async () => {
    const back = [{ path: ['body', 'effectiveTo'], value: null }]
    const { body } = await keep([
      { id: de, version: 1, edits: back },
      { id: fresh, version: 2, drop: true },
      { id: 'config_entry/vat_rate.at_1995', version: 1, edits: [] },
    ])
    expect(body.versions).toEqual([0, 0, 0])
    expect(await draftsOf()).toEqual([])
  })

  it('refuses values of a text that is not JSON, and edits of entries that do not exist', async () => {
    await keep([{ id: fresh, version: 0, text: '{ half' }])
    const edits = [{ path: ['label'], value: 'x' }]
    const half = await test.studio('PUT', '/setup/v3/drafts', { drafts: [{ id: fresh, version: 1, edits }] })
    expect([half.status, half.body['code']]).toEqual([422, 'request.invalid'])
    const none = await test.studio('PUT', '/setup/v3/drafts', {
      drafts: [{ id: 'config_entry/vat_rate.none', version: 0, edits }],
    })
    expect([none.status, none.body['code']]).toEqual([404, 'component.not_found'])
    await keep([{ id: fresh, version: 1, drop: true }])
  })

  it('is not sent again if the drafts have not changed', async () => {
    const first = await test.studio('GET', draftsPath)
    const headers = { 'if-none-match': first.headers.get('etag')! }
    expect((await test.studio('GET', draftsPath, undefined, headers)).status).toBe(304)
    await keep([{ id: fresh, version: 0, text }])
    expect((await test.studio('GET', draftsPath, undefined, headers)).status).toBe(200)
  })
})

describe('a selection of rows as a file', () => {
  const de = 'config_entry/vat_rate.de_2020'
  const ask = (slugs: string[], format = 'csv') =>
    test.studio('POST', '/setup/v3/sets/vat_rate/export', { format, slugs })

  it('contains the drafted rows, in the order requested', async () => {
    const text = JSON.stringify(rate('it_2013', 'IT', '2013-10-01', null, '0.22'))
    await test.studio('PUT', '/setup/v3/drafts', {
      drafts: [
        { id: de, version: 0, edits: [{ path: ['body', 'values', 'rate'], value: '0.15' }] },
        { id: 'config_entry/vat_rate.it_2013', version: 0, text },
      ],
    })
    const { status, headers, text: csv } = await ask(['it_2013', 'de_2020', 'at_1995'])
    expect(status).toBe(200)
    expect(headers.get('content-disposition')).toContain('vat_rate-3-rows.csv')
    expect(csv.split('\r\n').map((line) => line.split(',').slice(0, 5).join(' '))).toEqual([
      'key scope from to rate',
      'IT org 2013-10-01  0.22',
      'DE org 2020-07-01 2021-01-01 0.15',
      'AT org 1995-01-01  0.2000',
      '',
    ])
    expect((await ask(['at_1995'], 'xlsx')).text.slice(0, 2)).toBe('PK')
  })

  it('is refused with the names of rows that do not exist', async () => {
    expect((await ask(['none'])).body['code']).toBe('component.not_found')
    await test.studio('PUT', '/setup/v3/drafts', { drafts: [{ id: de, version: 1, text: '{ half' }] })
    const half = await ask(['at_1995', 'de_2020'])
    expect([half.status, half.body['detail']]).toMatchObject([
      422,
      expect.stringContaining('vat_rate.de_2020 cannot be read'),
    ])
  })
})
