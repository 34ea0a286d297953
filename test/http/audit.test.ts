// The audit, searched by what a user remembers, and exported as a file.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operatorName } from '../../server/system/index.ts'
import { fee, feeSet } from '../support/fees.ts'
import { runningServer, type Ask, type TestServer } from '../support/running-server.ts'

interface Row {
  component: string
  kind: string
  before: unknown
}

let test: TestServer
const find = async (query: Record<string, string>, ask = test.studio): Promise<Row[]> => {
  const { body } = await ask<{ rows: Row[] }>('GET', `/metadata/v3/audit?${new URLSearchParams(query)}`)
  return body.rows
}
const components = (rows: readonly Row[]): string[] => rows.map(({ component }) => component)
const apply = (components: object[], rationale = ''): Promise<unknown> =>
  test.studio('POST', '/metadata/v3/apply', { components, rationale }, { 'x-correlation-id': 'corr-77' })
const permissions = {
  type: 'permission_set',
  key: 'auditors',
  label: 'Auditors',
  body: { systemPermissions: ['audit.read'] },
}
const client = {
  type: 'integration_client',
  key: 'auditor',
  label: 'Auditor',
  body: { authScheme: 'oauth2_client_credentials', runAs: 'auditor' },
}
/** Can read the audit, and sees no set. */
let auditor: Ask
const today = new Date().toISOString().slice(0, 10)

beforeAll(async () => {
  test = await runningServer()
  await apply([feeSet(), fee('a', '1', { label: 'Entrance' }), fee('b', '1')])
  await apply([fee('a', '2', { label: 'Entrance' })], 'The board decided in May.')
  await apply([permissions])
  const by = { actor: 'admin', correlationId: 't', isOperator: true as const }
  await test.beside(({ access }) =>
    access.addUser(by, { key: 'auditor', name: 'Zoë Brühl', permissionSets: ['auditors'] }),
  )
  await apply([client])
  auditor = test.bearer((await test.beside(({ access }) => access.issueToken(by, 'auditor'))).token)
})
afterAll(() => test.close())

describe('the audit', () => {
  it.each([
    ['a part of the key', 'fee.a', 'config_entry/fee.a'],
    ['a label, in any case', 'ENTRANCE', 'config_entry/fee.a'],
    ['the rationale', 'board may', 'config_entry/fee.a'],
    ['the correlation id', 'corr-77', 'config_entry/fee.a'],
    ['words from several places', 'entrance changed board', 'config_entry/fee.a'],
  ])('is searched by %s', async (_, search, found) => {
    expect(components(await find({ search }))).toContain(found)
  })

  it('is searched by the label of a set, for its entries', async () => {
    expect(components(await find({ search: 'fee fee.b' }))).toEqual(['config_entry/fee.b'])
  })

  it('returns nothing for words that do not occur', async () => {
    expect(await find({ search: 'entrance nowhere' })).toEqual([])
  })

  it('is searched only by what the caller can see: never by the label of a hidden set', async () => {
    expect(await find({ search: 'entrance' }, auditor)).toEqual([])
    expect(await find({ search: 'fee.a board' }, auditor)).toMatchObject([{ before: null }])
  })

  it("is searched by a part of a user's name or key", async () => {
    expect((await find({ actor: 'adm' })).length).toBeGreaterThan(0)
    expect(await find({ actor: 'Bruhl' })).toEqual([])
    // Only in the name: no key contains it.
    expect((await find({ actor: 'ISTRATOR' })).length).toBeGreaterThan(0)
    expect(components(await find({ search: 'istrator entrance' }))).toContain('config_entry/fee.a')
    expect(await find({ actor: 'nobody of that name' })).toEqual([])
  })

  it('is searched by a kind, and by a part of one between its dots', async () => {
    expect((await find({ kind: 'changed' })).length).toBeGreaterThan(0)
    const all = await find({})
    const dotted = all.map(({ kind }) => kind).find((kind) => kind.includes('.'))!
    const [first, last] = [dotted.split('.')[0]!, dotted.split('.').at(-1)!]
    for (const part of [dotted, first, last])
      expect((await find({ kind: part })).map(({ kind }) => kind)).toContain(dotted)
    expect(await find({ kind: 'no_such_kind' })).toEqual([])
  })

  it('is searched by a range of days, both included', async () => {
    expect((await find({ since: today, until: today })).length).toBeGreaterThan(0)
    expect(await find({ until: '2020-01-01' })).toEqual([])
    expect(await find({ since: '2999-01-01' })).toEqual([])
  })

  it('is paged without losing or repeating a row', async () => {
    const all = components(await find({ search: 'fee' }))
    const paged: string[] = []
    for (let before = ''; ;) {
      const query = new URLSearchParams({ search: 'fee', limit: '2', ...(before === '' ? {} : { before }) })
      const { body } = await test.studio<{ rows: Row[]; nextCursor: string | null }>(
        'GET',
        `/metadata/v3/audit?${query}`,
      )
      paged.push(...components(body.rows))
      if (body.nextCursor === null) break
      before = body.nextCursor
    }
    expect(paged).toEqual(all)
  })

  it('refuses a day that does not exist', async () => {
    expect((await test.studio('GET', '/metadata/v3/audit?since=2026-02-30')).status).toBe(400)
  })
})

describe('an export of the audit', () => {
  const file = (query: Record<string, string>): ReturnType<TestServer['studio']> =>
    test.studio('GET', `/metadata/v3/audit/export?${new URLSearchParams(query)}`)

  it('is CSV of everything that the filter matches', async () => {
    const answer = await file({ search: 'entrance' })
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="audit.csv"')
    const [head, first, second, ...rest] = answer.text.split('\r\n')
    expect(head).toBe('at,actor,operator,kind,component,generation,rationale,correlationId,before,after')
    expect([first, second]).toEqual([
      expect.stringContaining(
        `admin,${operatorName()},changed,config_entry/fee.a,3,The board decided in May.,corr-77,`,
      ),
      expect.stringContaining(`admin,${operatorName()},added,config_entry/fee.a,2,,corr-77,,`),
    ])
    expect(rest).toEqual([''])
  })

  it('is JSON lines that equal the rows of the list', async () => {
    const { text } = await file({ search: 'entrance', format: 'jsonl' })
    expect(
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Row),
    ).toEqual(await find({ search: 'entrance' }))
  })

  it('contains no text that a spreadsheet would compute', async () => {
    await apply([fee('c', '1')], '=HYPERLINK("x")')
    const { text } = await file({ search: 'fee.c' })
    expect(text).toContain(`"'=HYPERLINK(""x"")"`)
  })

  it('is refused without audit.read', async () => {
    expect((await test.plain('GET', '/metadata/v3/audit/export')).status).toBe(401)
  })
})
