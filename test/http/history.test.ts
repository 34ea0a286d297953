// The history of a component, and of one key of a set.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runningServer, type TestServer } from '../support/running-server.ts'
import { everything, rate } from '../support/small-org.ts'

interface History {
  history: {
    generation: { generation: number; actor: string; rationale: string }
    changes: {
      kind: string
      id: string
      renamedFrom?: string
      words: { title: string; before: string; after: string }
    }[]
  }[]
  total: number
  before: number | null
  audit: { kind: string; component: string }[]
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
  await apply({ components: [rate('at_1995', 'AT', '1995-01-01', null, '0.21')], rationale: 'Austria.' })
  await apply({
    components: [rate('de_2021', 'DE', '2021-01-01', null, '0.19')],
    removals: ['config_entry/vat_rate.de_2027'],
    rationale: 'Taken back.',
  })
})
afterAll(() => test.close())

const get = async (path: string, headers = {}) => test.studio<History>('GET', path, undefined, headers)
const summaryOf = ({ history }: History) =>
  history.map(({ generation, changes }) => [
    generation.generation,
    generation.rationale,
    changes.map(({ kind, id }) => `${kind} ${id.slice(id.indexOf('/') + 1)}`),
  ])

describe('the history', () => {
  it('of a key lists each generation that changed it, with author, reason and changes in words', async () => {
    const { body } = await get('/setup/v3/sets/vat_rate/history?key=DE')
    expect(summaryOf(body)).toEqual([
      [5, 'Taken back.', ['changed vat_rate.de_2021', 'removed vat_rate.de_2027']],
      [3, 'The law.', ['changed vat_rate.de_2021', 'added vat_rate.de_2027']],
      [
        2,
        'The start.',
        ['added vat_rate', 'added vat_rate.de_2007', 'added vat_rate.de_2020', 'added vat_rate.de_2021'],
      ],
    ])
    expect(body.history[1]!.changes[1]!.words).toMatchObject({ title: 'VAT rate, DE, org', after: '0.2100' })
    expect([body.total, body.before]).toEqual([3, null])
    const page = await get('/setup/v3/sets/vat_rate/history?key=DE&limit=1')
    expect(page.body.before).toBe(5)
    const rest = await get('/setup/v3/sets/vat_rate/history?key=DE&before=5')
    expect(rest.body.history.map(({ generation }) => generation.generation)).toEqual([3, 2])
  })

  it('of a component continues after its end, and through a rename', async () => {
    const gone = await get('/metadata/v3/components/config_entry/vat_rate.de_2027/history')
    expect(summaryOf(gone.body)).toEqual([
      [5, 'Taken back.', ['removed vat_rate.de_2027']],
      [3, 'The law.', ['added vat_rate.de_2027']],
    ])
    const { body } = await test.studio<{ component: object }>(
      'GET',
      '/metadata/v3/components/calc_function/gross',
    )
    await apply({ components: [{ ...body.component, key: 'with_tax', renamedFrom: 'gross' }] })
    const renamed = await get('/metadata/v3/components/calc_function/with_tax/history')
    expect(renamed.body.history[0]!.changes).toMatchObject([{ kind: 'renamed', renamedFrom: 'gross' }])
    expect(summaryOf(renamed.body).at(-1)).toEqual([2, 'The start.', ['added gross']])
    expect(renamed.body.audit.map(({ kind, component }) => `${kind} ${component}`)).toEqual([
      'renamed calc_function/with_tax',
      'added calc_function/gross',
    ])
  })

  it('of a component whose key was used before contains only its own generations', async () => {
    const { body } = await test.studio<{ component: object }>(
      'GET',
      '/metadata/v3/components/calc_function/with_tax',
    )
    await apply({ components: [{ ...body.component, key: 'gross' }], rationale: 'A different one.' })
    const history = await get('/metadata/v3/components/calc_function/with_tax/history')
    expect(summaryOf(history.body).map(([, , changes]) => changes)).toEqual([
      ['renamed with_tax'],
      ['added gross'],
    ])
  })

  it('of a key continues through a rename of its set, and so do the results that bind it', async () => {
    const request = { expression: 'config.vat_rate("DE").rate', inputs: {}, asOf: '2025-09-02', store: 'One' }
    await test.studio('POST', '/setup/v3/evaluate', request)
    await test.studio('POST', '/metadata/v3/rename', { type: 'config_set', from: 'vat_rate', to: 'vat' })
    await apply({ drafts: true, rationale: 'A shorter name.' })
    const { body } = await get('/setup/v3/sets/vat/history?key=DE')
    expect(summaryOf(body).map(([, rationale]) => rationale)).toEqual([
      'A shorter name.',
      'Taken back.',
      'The law.',
      'The start.',
    ])
    expect(summaryOf(body)[0]![2]).toContain('renamed vat.de_2021')
    const bound = await test.studio('GET', '/metadata/v3/components/config_set/vat/bound-results')
    expect(bound.body).toEqual({ bound: 1 })
    const entry = await get('/metadata/v3/components/config_entry/vat.de_2021/history')
    expect(summaryOf(entry.body).map(([, rationale]) => rationale)).toEqual([
      'A shorter name.',
      'Taken back.',
      'The law.',
      'The start.',
    ])
  })

  it('of a component omits another component that had the same key', async () => {
    const { body } = await test.studio<{ component: object }>(
      'GET',
      '/metadata/v3/components/calc_function/gross',
    )
    await apply({ components: [{ ...body.component, key: 'total', renamedFrom: 'gross' }] })
    await apply({ components: [{ ...body.component, key: 'gross', renamedFrom: 'with_tax' }] })
    const history = await get('/metadata/v3/components/calc_function/gross/history')
    expect(summaryOf(history.body).map(([, , changes]) => changes)).toEqual([
      ['renamed gross'],
      // Its text follows the rename of the set.
      ['changed with_tax'],
      ['renamed with_tax'],
      ['added gross'],
    ])
    expect(history.body.audit).toHaveLength(4)
  })

  it('of a hidden component is not shown', async () => {
    expect((await get('/setup/v3/sets/sealed/history')).status).toBe(403)
    expect((await get('/setup/v3/sets/nothing/history')).status).toBe(404)
    expect((await get('/metadata/v3/components/config_entry/sealed.all/history')).status).toBe(404)
  })
})
