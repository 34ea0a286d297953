// Search over keys, labels, values, expressions and drafts, as far as the user can see.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runningServer, type TestServer } from '../support/running-server.ts'
import { everything, invoice } from '../support/small-org.ts'

interface Answer {
  hits: {
    id: string
    rank: string
    draft: boolean
    places: { path: string; excerpt: string; marks: [number, number][] }[]
  }[]
  total: number | null
  nextCursor: string | null
}

const operator = { actor: 'admin', correlationId: 't', isOperator: true }
let test: TestServer
beforeAll(async () => {
  test = await runningServer()
  await test.beside(({ access }) => access.addUser(operator, { key: 'rea', name: 'Rea', permissionSets: [] }))
  const shop = {
    ...{ type: 'app', key: 'shop', label: 'Shop' },
    body: { objects: ['invoice'], pages: [], flows: [] },
  }
  const due = {
    ...{ key: 'due', type: 'number', label: 'Due', precision: 12, scale: 2 },
    formula: { expression: 'gross(net, number)', stored: false },
  }
  const billed = { ...invoice, body: { ...invoice.body, fields: [...invoice.body.fields, due] } }
  const { status, text } = await test.studio('POST', '/metadata/v3/apply', {
    components: [...everything.filter((each) => each !== invoice), billed, shop],
  })
  expect([status, text.slice(0, 300)]).toEqual([200, text.slice(0, 300)])
  const draft = {
    type: 'calc_function',
    key: 'fresh',
    label: 'Zebra',
    body: { params: [], returns: 'number', expression: '1' },
  }
  await test.studio('PUT', '/setup/v3/drafts/calc_function/fresh', {
    text: JSON.stringify(draft),
    version: 0,
  })
})
afterAll(() => test.close())

const find = async (query: string, headers = {}) =>
  (await test.studio<Answer>('GET', `/setup/v3/search?${query}`, undefined, headers)).body

describe('a search', () => {
  it('lists the exact key first, then names, then other matches, with the place', async () => {
    const { hits } = await find('q=vat_rate')
    expect(hits[0]).toMatchObject({ id: 'config_set/vat_rate', rank: 'key' })
    expect(hits.slice(1, 5).map(({ rank }) => rank)).toEqual(['name', 'name', 'name', 'name'])
    const gross = hits.find(({ id }) => id === 'calc_function/gross')!
    expect(gross.rank).toBe('text')
    const place = gross.places[0]!
    expect(place.path).toBe('/body/expression')
    expect(place.marks.map(([from, to]) => place.excerpt.slice(from, to))).toEqual(['vat', 'rate', 'rate'])
  })

  it('finds values, and drafts with words that nothing active contains', async () => {
    expect((await find('q=good')).hits.map(({ id, places }) => [id, places[0]!.path])).toEqual([
      ['config_entry/greeting.all', '/body/values/words'],
    ])
    expect((await find('q=zeb')).hits).toMatchObject([
      { id: 'calc_function/fresh', draft: true, rank: 'name' },
    ])
    expect((await find('q=zeb&type=object')).hits).toEqual([])
  })

  it('is paged with each hit once, and filtered by type', async () => {
    const seen: string[] = []
    let cursor = ''
    do {
      const page = await find(`q=vat&limit=2${cursor}`)
      seen.push(...page.hits.map(({ id }) => id))
      cursor = page.nextCursor === null ? '' : `&cursor=${page.nextCursor}`
    } while (cursor !== '')
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen).toContain('calc_function/gross')
    expect((await find('q=vat&type=calc_function')).hits.map(({ id }) => id)).toEqual(['calc_function/gross'])
    expect((await find('q=%22;%20DROP')).hits).toEqual([])
    const plain = await find('q=vat&entries=false&limit=2')
    const rest = await find(`q=vat&entries=false&limit=100&cursor=${plain.nextCursor}`)
    const ids = [...plain.hits, ...rest.hits].map(({ id }) => id)
    expect(ids.filter((id) => id.startsWith('config_entry/'))).toEqual([])
    expect([...ids].sort()).toEqual(seen.filter((id) => !id.startsWith('config_entry/')).sort())
    const entries = await find('q=vat&type=config_entry&limit=100')
    expect(entries.hits.length).toBe(seen.length - ids.length)
  })

  it('is limited to an app: what it names, and what that reads', async () => {
    const ids = (await find('q=vat&app=shop&limit=100')).hits.map(({ id }) => id)
    expect(ids).toContain('config_set/vat_rate')
    expect(ids.some((id) => id.startsWith('config_entry/vat_rate.'))).toBe(true)
    expect((await find('q=good&app=shop')).hits).toEqual([])
    expect((await find('q=vat&app=nothing')).hits).toEqual([])
  })

  it('groups the components by app as the explorer shows them', async () => {
    const list = async (query: string): Promise<string[]> =>
      (
        await test.studio<{ components: { id: string }[] }>('GET', `/metadata/v3/components?${query}`)
      ).body.components.map(({ id }) => id)
    const [inShop, outside] = [await list('app=shop'), await list('outside=true')]
    expect(inShop).toEqual(expect.arrayContaining(['app/shop', 'object/invoice', 'config_set/vat_rate']))
    expect(outside).toContain('calc_function/fresh')
    expect(outside.filter((id) => inShop.includes(id))).toEqual([])
    expect([...inShop, ...outside].filter((id) => id.startsWith('config_entry/'))).toEqual([])
  })

  it('reveals nothing that is hidden, not even a number', async () => {
    expect((await find('q=hush')).hits).toEqual([])
    const { hits, total } = await find('q=vat', { 'x-view-as': 'rea' })
    expect(hits.map(({ id }) => id)).toEqual(['calc_function/gross'])
    expect(total).toBeNull()
  })
})
