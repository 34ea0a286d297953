// Hidden components take no place in search results, regardless of how many match.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runningServer, type Ask, type TestServer } from '../support/running-server.ts'

const by = { actor: 'admin', correlationId: 't', isOperator: true as const }
/** More than a search reads in one statement, or keeps for a list. */
const many = 2600

const set = (key: string, grants: object): object => ({
  type: 'config_set',
  key,
  label: key,
  body: {
    cardinality: 'keyed',
    keyedBy: { key: 'name', type: 'text' },
    fields: [{ key: 'words', type: 'text' }],
    edit: { administrator: 'edit' },
    ...grants,
  },
})
const entry = (owner: string, slug: string): object => ({
  type: 'config_entry',
  key: `${owner}.${slug}`,
  label: slug,
  body: { set: owner, key: slug, scope: { kind: 'org' }, values: { words: 'quince' } },
})

let test: TestServer
let rea: Ask
beforeAll(async () => {
  test = await runningServer()
  const apply = async (components: object[]): Promise<void> => {
    const { status, text } = await test.studio('POST', '/metadata/v3/apply', { components })
    expect([status, text.slice(0, 300)]).toEqual([200, text.slice(0, 300)])
  }
  const readers = { type: 'permission_set', key: 'readers', label: 'Readers', body: {} }
  await apply([readers])
  await test.beside(({ access }) =>
    access.addUser(by, { key: 'rea', name: 'Rea', permissionSets: ['readers'] }),
  )
  await apply([
    {
      ...{ type: 'integration_client', key: 'rea', label: 'Rea' },
      body: { authScheme: 'oauth2_client_credentials', runAs: 'rea' },
    },
    set('hidden', {}),
    ...Array.from({ length: many }, (_, at) => entry('hidden', `a${at}`)),
  ])
  await apply([set('open', { read: { readers: 'read' } }), entry('open', 'pear')])
  const { token } = await test.beside(({ access }) => access.issueToken(by, 'rea'))
  rea = test.bearer(token)
})
afterAll(() => test.close())

interface Found {
  hits: { id: string }[]
  nextCursor: string | null
}

it('a search finds visible components behind all the hidden ones, on its first page', async () => {
  const { body } = await rea<Found>('GET', '/setup/v3/search?q=quince')
  expect(body.hits.map(({ id }) => id)).toEqual(['config_entry/open.pear'])
  expect(body.nextCursor).toBeNull()
})

it('a search that matches only hidden components ends like one that matches nothing', async () => {
  const [hidden, nothing] = [
    await rea('GET', '/setup/v3/search?q=a1'),
    await rea('GET', '/setup/v3/search?q=zzz'),
  ]
  expect(hidden.text).toBe(nothing.text)
})

it('a list finds visible components behind all the hidden ones', async () => {
  const { body } = await rea<{ components: { id: string }[]; total: number }>(
    'GET',
    '/metadata/v3/components?q=quince',
  )
  expect([body.components.map(({ id }) => id), body.total]).toEqual([['config_entry/open.pear'], 1])
})
