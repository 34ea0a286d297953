// If-Match on every route that changes one record, as the declarations list them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routes } from '../../server/http/routes/index.ts'
import { archiveOrg, type ArchiveOrg, type SavedRecord } from '../support/archive-org.ts'
import type { Answer } from '../support/running-server.ts'

const changing = routes.filter(
  (route) =>
    route.access === 'signed_in' &&
    route.effect === 'writes' &&
    route.path.startsWith('/data/v3/{object}/{id}'),
)

let org: ArchiveOrg
let count = 0
beforeAll(async () => {
  org = await archiveOrg()
})
afterAll(() => org.test.close())

/** An invoice of version 2, to which nothing refers. */
async function invoice(): Promise<string> {
  const number = `M-${(count += 1)}`
  const id = await org.add('invoice', { number, tax_point: '2022-01-01', net: '100' })
  await org.update('invoice', id, { net: '200' })
  return id
}

const versionOf = async (id: string): Promise<number | undefined> =>
  (await org.ada<SavedRecord>('GET', `/data/v3/invoice/${id}`)).body.version

it('the routes that change one record are known', () => {
  expect(changing.map(({ name }) => name).sort()).toEqual([
    'archiveValue',
    'deleteRecord',
    'recomputeRecord',
    'updateRecord',
  ])
})

describe.each(changing)('$name', ({ method, path, requestHeaders = [], body }) => {
  const send = (id: string, headers: Record<string, string>): Promise<Answer> => {
    const place = path.replace('{object}', 'invoice').replace('{id}', id).replace('{field}', 'tax')
    const isPatch = method === 'patch'
    return org.ada(
      method.toUpperCase(),
      place,
      body !== undefined && isPatch ? { net: '300' } : undefined,
      headers,
    )
  }
  const isRequired = requestHeaders.includes('If-Match!')

  it('declares the header', () => {
    expect(requestHeaders.some((each) => each.startsWith('If-Match'))).toBe(true)
  })

  it('refuses a different version, and changes nothing', async () => {
    const id = await invoice()
    for (const stale of ['"1"', '"3"']) {
      const { status, body: problem } = await send(id, { 'if-match': stale })
      expect([stale, status, problem]).toMatchObject([stale, 412, { code: 'conflict.stale_version' }])
    }
    expect(await versionOf(id)).toBe(2)
  })

  it('refuses a text that is not a version', async () => {
    const id = await invoice()
    expect(await send(id, { 'if-match': '2' })).toMatchObject({
      ...{ status: 400, body: { code: 'request.malformed' } },
    })
    expect(await versionOf(id)).toBe(2)
  })

  it('accepts the version of the record, and any version for an asterisk', async () => {
    for (const header of ['"2"', '*']) {
      const { status, text } = await send(await invoice(), { 'if-match': header })
      expect(status, text).toBeLessThan(300)
    }
  })

  it('without the header accepts any version, unless it is required', async () => {
    const { status } = await send(await invoice(), {})
    expect(status === 428).toBe(isRequired)
  })
})

it('a value that the user has already archived is returned again for the version before', async () => {
  const id = await invoice()
  const send = (): ReturnType<ArchiveOrg['ada']> =>
    org.ada('POST', `/data/v3/invoice/${id}/values/tax/archive`, undefined, { 'if-match': '"2"' })
  const first = await send()
  expect(first.status, first.text).toBe(200)
  expect(await versionOf(id)).toBe(3)
  expect(await send()).toMatchObject({ status: 200, body: first.body })
})
