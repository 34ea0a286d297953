// Archives as their creator lists and exports them, and the requests that archive.
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { orgFile } from '../../server/compose/org-folder.ts'
import { recordsFile } from '../../server/storage/sqlite/records/records-file.ts'
import { archiveOrg, type ArchiveOrg } from '../support/archive-org.ts'

interface Page {
  archives: { id: string; values: number }[]
  nextCursor: string | null
}

let org: ArchiveOrg
let invoices: string[]
const list = (query = ''): ReturnType<typeof org.ada<Page>> =>
  org.ada<Page>('GET', `/setup/v3/archives${query}`)
const add = (index: number): Promise<string> =>
  org.add('invoice', { number: `L-${index}`, tax_point: '2022-01-01', net: '10' })

beforeAll(async () => {
  org = await archiveOrg()
  invoices = await Promise.all([0, 1, 2, 3, 4].map(add))
  for (const invoice of invoices) await org.archive(invoice, 'tax')
})
afterAll(() => org.test.close())

describe('the list of archives', () => {
  it('has pages, the newest archives first', async () => {
    const all = (await list()).body
    expect([all.archives.length, all.nextCursor]).toEqual([5, null])
    const ids: string[] = []
    for (let query = '?limit=2'; query !== '';) {
      const { archives, nextCursor } = (await list(query)).body
      expect(archives.length).toBeLessThanOrEqual(2)
      ids.push(...archives.map(({ id }) => id))
      query = nextCursor === null ? '' : `?limit=2&cursor=${nextCursor}`
    }
    expect(ids).toEqual(all.archives.map(({ id }) => id))
  })

  it('refuses what it does not know, and a cursor of a different list', async () => {
    for (const query of ['?limit=9999', '?limit=0', '?page=2', '?cursor=x'])
      expect(await list(query)).toMatchObject({ status: 400, body: { code: 'request.malformed' } })
  })
})

describe('a request that archives', () => {
  const path = (): string => `/data/v3/invoice/${invoices[0]}/values/tax/archive`

  it('of a value refuses a body that it cannot use, and unknown parameters', async () => {
    const malformed = { status: 400, body: { code: 'request.malformed' } }
    expect(await org.ada('POST', `${path()}?x=1`)).toMatchObject(malformed)
    expect(await org.ada('POST', path(), { note: 'x' })).toMatchObject(malformed)
    expect(await org.ada('POST', path(), {})).toMatchObject({ status: 200 })
  })

  it('by a job refuses keepArchived unless it recomputes or rebinds', async () => {
    const start = (kind: string): ReturnType<typeof org.ada> =>
      org.ada('POST', '/setup/v3/jobs', { kind, object: 'invoice', keepArchived: true })
    for (const kind of ['archive', 'replay'])
      expect(await start(kind)).toMatchObject({ status: 422, body: { code: 'request.invalid' } })
    for (const kind of ['recompute', 'rebind']) expect(await start(kind)).toMatchObject({ status: 202 })
  })
})

describe('a bundle that was changed in the file', () => {
  it.each([
    ['a part', "UPDATE record_evidence_part SET text = replace(text, 'vat', 'vax')"],
    ['a missing part', 'DELETE FROM record_evidence_part'],
    ['its head', `UPDATE record_evidence SET head = replace(head, '"value":', '"valve":')`],
    ['a head that is not JSON', "UPDATE record_evidence SET head = '{'"],
  ])('is refused as damaged at every door: %s', async (name, sql) => {
    const invoice = await add(10 + name.length)
    const { archive } = await org.archive(invoice, 'tax')
    const file = new Database(recordsFile(orgFile(org.test.dir)))
    file.prepare(`${sql} WHERE archive = ?`).run(archive)
    file.close()
    const damaged = { status: 500, body: { code: 'storage.damaged' } }
    expect(await org.ada('GET', `/setup/v3/archives/${archive}/evidence`)).toMatchObject(damaged)
    expect(await org.ada('POST', `/data/v3/invoice/${invoice}/values/tax/archive`)).toMatchObject(damaged)
  })
})
