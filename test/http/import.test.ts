// Tables in and out: a file is inspected, previewed and saved as drafts; a set is exported as a file.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readXlsx, writeXlsx } from 'hucre/xlsx'
import { runningServer, type TestServer } from '../support/running-server.ts'
import { everything, vatRate } from '../support/small-org.ts'

let test: TestServer
beforeAll(async () => {
  test = await runningServer()
  const { status } = await test.studio('POST', '/metadata/v3/apply', { components: everything })
  expect(status).toBe(200)
})
afterAll(() => test.close())

const german = [
  'Territory;Gültig ab;Rate;Erläuterung',
  'DE;01.01.2021;0,19;unverändert',
  'AT;01.01.1995;0,21;geändert',
  'FR;01.01.2014;0,2;neu',
  'IT;31.02.2014;0,22;kein Tag',
  'ES;01.01.2012;21 %;Prozent',
].join('\r\n')
const latin = Buffer.from(german, 'latin1').toString('base64')

interface Inspection {
  map: Record<string, unknown>
  questions: { about: string }[]
  encoding: string
  lettered: string[]
}

interface Preview {
  changes: { kind: string; id: string; words: { after: string } }[]
  counts: Record<string, number>
  unchanged: number
  findings: { code: string; message: string; facts: Record<string, unknown> }[]
  rowsRefused: boolean
}

describe('a file', () => {
  it('in Latin-1 with semicolons and decimal commas is inspected, previewed with that map, and saved as drafts', async () => {
    const name = 'sätze.csv'
    const inspected = await test.studio<Inspection>('POST', '/setup/v3/import/inspect', {
      set: 'vat_rate',
      bytes: latin,
      name,
    })
    expect(inspected.status).toBe(200)
    expect(inspected.body.questions.map(({ about }) => about)).toEqual(['encoding'])
    expect(inspected.body).toMatchObject({
      encoding: 'windows-1252',
      lettered: ['Gültig ab', 'Erläuterung', 'unverändert', 'geändert'],
      map: { key: 'Territory', from: 'Gültig ab', decimal: 'comma', values: { rate: 'Rate' } },
    })
    const ask = { set: 'vat_rate', bytes: latin, name, map: inspected.body.map }
    const { status, body } = await test.studio<Preview>('POST', '/setup/v3/import/preview', ask)
    expect(status).toBe(200)
    expect(body.changes.map(({ kind, id }) => `${kind} ${id}`)).toEqual([
      'changed config_entry/vat_rate.at_1995',
      'added config_entry/vat_rate.fr_2014_01_01',
    ])
    expect([body.counts['added'], body.counts['changed'], body.unchanged]).toEqual([1, 1, 1])
    expect(body.findings.map(({ code, facts }) => [code, facts['line'], facts['column']])).toEqual([
      ['import.date', 5, 'Gültig ab'],
      ['import.cell', 6, 'Rate'],
    ])
    expect(body.findings[0]!.message).toContain('Line 5 of sätze.csv, column Gültig ab')
    expect(body.rowsRefused).toBe(true)
    expect((await test.studio<{ drafts: unknown[] }>('GET', '/setup/v3/drafts')).body.drafts).toEqual([])
    const kept = await test.studio<{ drafts: string[] }>('POST', '/setup/v3/import', ask)
    expect(kept.body.drafts).toEqual(['config_entry/vat_rate.at_1995', 'config_entry/vat_rate.fr_2014_01_01'])
  })

  it('as a spreadsheet is read by its sheet', async () => {
    const book = await writeXlsx({
      sheets: [
        { name: 'About', rows: [['x']] },
        {
          name: 'Rates',
          rows: [
            ['territory', 'from', 'rate'],
            ['PT', new Date(Date.UTC(2011, 0, 1)), 0.23],
          ],
        },
      ],
    })
    const map = { sheet: 'Rates', key: 'territory', from: 'from', values: { rate: 'rate' } }
    const { body } = await test.studio<Preview>('POST', '/setup/v3/import/preview', {
      set: 'vat_rate',
      bytes: Buffer.from(book).toString('base64'),
      map,
    })
    expect(body.changes.map(({ words }) => words.after)).toEqual(['0.2300'])
  })

  it('that is not a table is reported by its kind, and nothing is saved', async () => {
    const bytes = Buffer.from('%PDF-1.7').toString('base64')
    for (const path of ['/setup/v3/import/inspect', '/setup/v3/import/preview', '/setup/v3/import']) {
      const map = path.endsWith('inspect') ? {} : { map: { values: {} } }
      const { status, body } = await test.studio('POST', path, {
        set: 'vat_rate',
        bytes,
        name: 'x.csv',
        ...map,
      })
      expect([status, body['code'], body['detail']]).toEqual([
        422,
        'import.invalid',
        'x.csv is not a table: it is a PDF document. Export the table as CSV or .xlsx, and choose that file.',
      ])
    }
    const both = await test.studio('POST', '/setup/v3/import/inspect', { csv: 'a', bytes })
    expect(both.body['code']).toBe('request.malformed')
  })

  it('requires an author who can see the set', async () => {
    await test.beside(({ access }) =>
      access.addUser(
        { actor: 'admin', correlationId: 't', isOperator: true },
        { key: 'rea', name: 'Rea', permissionSets: ['readers'] },
      ),
    )
    const as = { 'x-view-as': 'rea' }
    const { status } = await test.studio('POST', '/setup/v3/import/inspect', { csv: 'a;b' }, as)
    expect(status).toBe(403)
    const unknown = await test.studio('POST', '/setup/v3/import/inspect', { csv: 'a;b', set: 'vat_rat' })
    expect(unknown.body['detail']).toContain('Did you mean "vat_rate"?')
  })
})

describe('a set as a file', () => {
  const get = (query: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${test.url}/setup/v3/sets/${query}`, { headers: { cookie: test.cookie, ...headers } })

  it('is CSV that can be imported again without a change', async () => {
    const response = await get('vat_rate/export')
    expect(response.headers.get('content-disposition')).toBe(
      'attachment; filename="vat_rate-generation-2.csv"',
    )
    expect(response.headers.get('content-type')).toContain('text/csv')
    const csv = await response.text()
    expect(csv.split('\r\n')[0]).toBe('key,scope,from,to,rate,label,entry')
    const map = { key: 'key', from: 'from', to: 'to', label: 'label', values: { rate: 'rate' } }
    const { body } = await test.studio<Preview>('POST', '/setup/v3/import/preview', {
      set: 'vat_rate',
      csv,
      map,
    })
    expect([body.changes, body.unchanged, body.findings]).toEqual([[], 4, []])
  })

  it('with rows for some scopes is imported again by its own map, for those scopes', async () => {
    const entry = (slug: string, scope: object, rate: string, more: object = {}) => ({
      type: 'config_entry',
      key: `fee.${slug}`,
      label: slug,
      body: {
        set: 'fee',
        key: 'DE',
        scope,
        effectiveFrom: '2020-01-01',
        effectiveTo: null,
        ...more,
        values: { rate },
      },
    })
    const components = [
      {
        type: 'config_set',
        key: 'fee',
        label: 'Fee',
        body: {
          ...(everything.find((each) => (each as { key: string }).key === 'vat_rate') as { body: object })
            .body,
          scopes: ['permission_set', 'environment', 'org'],
        },
      },
      entry('all', { kind: 'org' }, '0.1'),
      entry('test', { kind: 'environment', environment: 'test' }, '0.2'),
      entry('readers', { kind: 'permission_set', permissionSet: 'readers' }, '0.3', { priority: 7 }),
    ]
    expect((await test.studio('POST', '/metadata/v3/apply', { components })).status).toBe(200)
    for (const format of ['csv', 'xlsx']) {
      const file = Buffer.from(await (await get(`fee/export?format=${format}`)).arrayBuffer())
      const bytes = file.toString('base64')
      const name = `fee.${format}`
      const inspected = await test.studio<Inspection>('POST', '/setup/v3/import/inspect', {
        ...{ set: 'fee', bytes, name },
      })
      const { map, questions } = inspected.body
      expect([map, questions]).toMatchObject([{ scopeColumn: 'scope', priorityColumn: 'priority' }, []])
      const { body } = await test.studio<Preview>('POST', '/setup/v3/import/preview', {
        ...{ set: 'fee', bytes, name, map },
      })
      expect([format, body.changes, body.unchanged, body.findings]).toEqual([format, [], 3, []])
    }
    const csv = [
      'key,scope,from,to,rate',
      'DE,environment=test,2029-01-01,,0.5',
      'DE,,2029-01-01,,0.6',
      'DE,everybody,2029-01-01,,0.7',
    ].join('\n')
    const { body } = await test.studio<Inspection>('POST', '/setup/v3/import/inspect', { set: 'fee', csv })
    // A column with other content is not a scope; mapping it gives a finding per line.
    expect(body.map).not.toHaveProperty('scopeColumn')
    const preview = await test.studio<Preview & { changes: { id: string }[] }>(
      'POST',
      '/setup/v3/import/preview',
      {
        ...{ set: 'fee', csv, map: { ...body.map, scopeColumn: 'scope' } },
      },
    )
    expect(preview.body.changes.map(({ id }) => id)).toEqual([
      'config_entry/fee.de_2029_01_01',
      'config_entry/fee.de_environment_test_2029_01_01',
    ])
    expect(
      preview.body.findings.map(({ code, facts }) => [code, facts['line'], facts['column']]),
    ).toContainEqual([...['import.cell', 4, 'scope']])
  })

  it('is a spreadsheet with typed cells, also of an older generation and of a flag', async () => {
    const { rows } = (
      await readXlsx(Buffer.from(await (await get('vat_rate/export?format=xlsx')).arrayBuffer()))
    ).sheets[0]!
    expect(rows[1]!.slice(0, 5)).toEqual(['AT', 'org', new Date('1995-01-01T00:00:00Z'), null, 0.2])
    const json = (await (await get('new_invoice/export?format=json&generation=2')).json()) as unknown[]
    expect(json).toEqual([])
    expect((await get('vat_rate/export?generation=77')).status).toBe(404)
  })

  it('is refused in the same way if the set is hidden and if it does not exist', async () => {
    expect((await get('sealed/export')).status).toBe(403)
    for (const set of ['sealed', 'nothing']) {
      const response = await get(`${set}/export`, { 'x-view-as': 'rea' })
      expect([response.status, ((await response.json()) as { detail: string }).detail]).toEqual([
        404,
        `The configuration set or flag "${set}" does not exist.`,
      ])
    }
    expect((await get('vat_rate/export?format=pdf')).status).toBe(400)
  })
})

describe('a file that was repaired here', () => {
  const map = { key: 'code', from: 'from', to: 'to', values: { rate: 'rate' } }
  const rows = (code: string): string[] => [
    `${code}1,2019-01-01,2022-12-31,0.2`,
    `${code}1,2023-01-01,,0.3`,
    `${code}2,2020-01-01,2021-01-01,0.2`,
  ]

  it.each([
    ['XA', 'extend_earlier', 'extend_last', 3],
    ['XB', 'extend_later', 'set_value', 4],
    ['XC', 'set_value', 'drop_key', 3],
    ['XD', 'drop_key', 'extend_last', 1],
  ])('(%s) by %s and %s changes nothing, both as drafts and applied', async (code, gap, end, entries) => {
    const csv = ['code,from,to,rate', ...rows(code)].join('\n')
    const ask = { set: 'vat_rate', csv, map }
    const importing = () =>
      test.studio<{ drafts: string[]; changes: unknown[] }>('POST', '/setup/v3/import', ask)
    const drafts = async () => {
      const { body } = await test.studio<{ drafts: { id: string }[] }>('GET', '/setup/v3/drafts')
      return body.drafts.filter(({ id }) => id.includes(`.${code.toLowerCase()}`))
    }
    expect((await importing()).body.drafts).toHaveLength(3)
    const chosen = [
      { findings: { code: 'config.range_gap', key: `${code}1` }, choice: gap },
      { findings: { code: 'config.range_end', key: `${code}2` }, choice: end },
    ]
    for (const each of chosen) {
      const value = each.choice === 'set_value' ? { value: { rate: '0.4' } } : {}
      expect((await test.studio('POST', '/setup/v3/repair', { ...each, ...value })).status).toBe(200)
    }
    const repaired = await drafts()
    expect(repaired).toHaveLength(entries)
    expect((await importing()).status).toBe(200)
    expect(await drafts()).toEqual(repaired)
    const ids = repaired.map(({ id }) => id)
    expect((await test.studio('POST', '/metadata/v3/apply', { drafts: ids })).status).toBe(200)
    expect((await importing()).body).toMatchObject({ changes: [], drafts: [] })
    expect((await test.studio<Preview>('POST', '/setup/v3/import/preview', ask)).body).toMatchObject({
      changes: [],
      findings: [],
    })
  })

  it('can end on 9999-12-31, and is previewed', async () => {
    const csv = 'code,from,to,rate\nYA,2019-01-01,9999-12-31,0.2'
    const ask = { set: 'vat_rate', csv, map: { ...map, toIs: 'inclusive' } }
    const { status, body } = await test.studio<Preview>('POST', '/setup/v3/import/preview', ask)
    expect([status, body.findings]).toEqual([200, []])
  })
})

describe('a set that is only a draft', () => {
  const levies = {
    ...vatRate,
    key: 'levy',
    label: 'Levy',
  }
  const ask = {
    set: 'levy',
    csv: 'Territory,From,Rate\nDE,2027-01-01,0.25\nFR,2027-01-01,0.30\n',
    map: { key: 'Territory', from: 'From', values: { rate: 'Rate' } },
  }
  const text = JSON.stringify(levies, null, 3)

  beforeAll(async () => {
    const { status } = await test.studio('PUT', '/setup/v3/drafts/config_set/levy', { text, version: 0 })
    expect(status).toBe(200)
  })

  it('accepts a file next to its definition, which stays as typed', async () => {
    const inspected = await test.studio<Inspection>('POST', '/setup/v3/import/inspect', {
      set: 'levy',
      bytes: Buffer.from(ask.csv).toString('base64'),
    })
    expect(inspected.body.map).toMatchObject({ key: 'Territory', from: 'From', values: { rate: 'Rate' } })
    const preview = await test.studio<Preview>('POST', '/setup/v3/import/preview', {
      ...{ set: ask.set, csv: ask.csv, map: ask.map },
    })
    expect(preview.body.findings).toEqual([])
    expect(preview.body.changes.map(({ id }) => id)).toEqual([
      'config_set/levy',
      'config_entry/levy.de_2027_01_01',
      'config_entry/levy.fr_2027_01_01',
    ])
    const kept = await test.studio<{ drafts: string[] }>('POST', '/setup/v3/import', ask)
    expect(kept.body.drafts).toContain('config_entry/levy.fr_2027_01_01')
    const { body } = await test.studio<{ drafts: { id: string; text: string }[] }>('GET', '/setup/v3/drafts')
    expect(body.drafts.find(({ id }) => id === 'config_set/levy')?.text).toBe(text)
    const drafts = body.drafts.map(({ id }) => id).filter((id) => id.includes('/levy'))
    expect(drafts).toHaveLength(3)
    const applied = await test.studio('POST', '/metadata/v3/apply', { drafts, rationale: 'Levys' })
    expect(applied.status).toBe(200)
  })
})
