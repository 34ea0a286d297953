// Pages of records and of their history end early if they are large, and continue where they ended.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apply, billingComponents, clerk, signIn } from '../support/billing-org.ts'
import { runningServer, type Ask, type TestServer } from '../support/running-server.ts'

interface Saved {
  id: string
  fields: Record<string, string | null>
}
interface Page {
  records: Saved[]
  nextCursor: string | null
}
interface History {
  changes: { version: number; fields: { field: string; after: string | null }[] }[]
  nextCursor: string | null
}

/** Ten of them fill a page. */
const large = 'x'.repeat(420_000)
const count = 25

let test: TestServer
let ada: Ask
const ids: string[] = []
beforeAll(async () => {
  test = await runningServer()
  await apply(test.studio, [...billingComponents(), clerk()])
  ;({ ada } = (await signIn(test, [{ key: 'ada', permissionSets: ['clerk'] }])) as { ada: Ask })
  for (let index = 0; index < count; index += 1) {
    const name = `Large ${String(index).padStart(2, '0')} ${large}`
    const { body } = await ada<Saved>('POST', '/data/v3/customer', { name, country: 'DE' })
    ids.push(body.id)
  }
})
afterAll(() => test.close())

async function pagesOf(path: string, body: object): Promise<Page[]> {
  const pages: Page[] = []
  for (let cursor: string | null | undefined; cursor !== null; cursor = pages.at(-1)!.nextCursor) {
    const reply = await ada<Page>('POST', path, { ...body, limit: 2000, ...(cursor && { cursor }) })
    expect(reply.status).toBe(200)
    pages.push(reply.body)
  }
  return pages
}

describe('a page of large records', () => {
  const orderBy = [{ field: 'name', dir: 'desc' }]
  it.each([
    ['a query', '/data/v3/query', { object: 'customer', fields: ['name'] }],
    ['a query by a large field', '/data/v3/query', { object: 'customer', fields: ['country'], orderBy }],
    ['a search', '/data/v3/customer/search', { text: 'large', fields: ['name'] }],
  ])('ends early in %s, and the cursor continues after its last record', async (_name, path, body) => {
    const pages = await pagesOf(path, body)
    expect(pages.map(({ records }) => records.length)).toEqual([10, 10, 5])
    const found = pages.flatMap(({ records }) => records.map(({ id }) => id))
    expect(found.toSorted()).toEqual(ids.toSorted())
  })

  it('cannot continue by a large value that has changed since', async () => {
    const query = { object: 'customer', fields: ['country'], orderBy, limit: 1 }
    const { nextCursor } = (await ada<Page>('POST', '/data/v3/query', query)).body
    const last = ids.at(-1)!
    const renamed = { op: 'update', id: last, fields: { name: `Large 99 ${large}` } }
    expect((await ada('POST', '/data/v3/customer/batch', { records: [renamed] })).status).toBe(200)
    expect(await ada('POST', '/data/v3/query', { ...query, cursor: nextCursor })).toMatchObject({
      ...{ status: 422, body: { code: 'request.invalid' } },
    })
  })

  it('counts values along references as often as they are shown', async () => {
    const records = Array.from({ length: 40 }, (_, index) => ({
      op: 'insert',
      fields: { number: `P-${index}`, customer: ids[index % 2], tax_point: '2022-08-15', net: '100' },
    }))
    expect((await ada('POST', '/data/v3/invoice/batch', { records })).status).toBe(200)
    const pages = await pagesOf('/data/v3/query', {
      ...{ object: 'invoice', fields: ['number', 'customer.name'], filter: 'number.startsWith("P-")' },
    })
    expect(pages.flatMap((page) => page.records)).toHaveLength(40)
    for (const page of pages) expect(JSON.stringify(page).length).toBeLessThan(5_000_000)
  })
})

describe('the history of a record', () => {
  const historyOf = (id: string, query = '') => ada<History>('GET', `/data/v3/customer/${id}/history${query}`)

  async function rename(id: string, version: number, name: string): Promise<void> {
    const reply = await ada('PATCH', `/data/v3/customer/${id}`, { name }, { 'if-match': `"${version}"` })
    expect(reply.status).toBe(200)
  }

  it('is read page by page, the newest change first', async () => {
    const { body } = await ada<Saved>('POST', '/data/v3/customer', { name: 'Small 1', country: 'DE' })
    for (let version = 2; version <= 5; version += 1) await rename(body.id, version - 1, `Small ${version}`)
    const versions: number[][] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page: History = (await historyOf(body.id, `?limit=2${cursor && `&cursor=${cursor}`}`)).body
      versions.push(page.changes.map(({ version }) => version))
      cursor = page.nextCursor
    }
    expect(versions).toEqual([[5, 4], [3, 2], [1]])
    const first = (await historyOf(body.id, '?limit=2')).body
    const { eve } = await signIn(test, [{ key: 'eve', permissionSets: ['clerk'] }])
    const path = `/data/v3/customer/${body.id}/history?cursor=${first.nextCursor}`
    expect((await eve!('GET', path)).status).toBe(400)
    expect(await historyOf(ids[0]!, `?cursor=${first.nextCursor}`)).toMatchObject({
      ...{ status: 400, body: { code: 'request.malformed' } },
    })
  })

  it('ends a page early if its changes are large', async () => {
    const { body } = await ada<Saved>('POST', '/data/v3/customer', { name: 'Grows', country: 'DE' })
    for (let index = 0; index < 9; index += 1) await rename(body.id, index + 1, `${index}${large}`)
    const first = (await historyOf(body.id, '?limit=2000')).body
    // Each change contains the value before and after.
    expect(first.changes.map(({ version }) => version)).toEqual([10, 9, 8, 7, 6])
    const rest = (await historyOf(body.id, `?limit=2000&cursor=${first.nextCursor}`)).body
    expect(rest.changes.map(({ version }) => version)).toEqual([5, 4, 3, 2, 1])
    expect(rest.nextCursor).toBeNull()
  })
})
