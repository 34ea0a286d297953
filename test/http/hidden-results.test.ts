// Stored results that a user cannot see do not exist for them: no count, cursor or refusal reveals how many there are.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runningServer, type Ask, type TestServer } from '../support/running-server.ts'

interface ResultsImpact {
  changed: { id: string }[]
  looked: number
  total: number
  reading: number
  next: string | null
}

const words = (key: string, ...readers: string[]) => [
  {
    type: 'config_set',
    key,
    label: key,
    body: {
      cardinality: 'singleton',
      fields: [{ key: 'words', type: 'text', required: true }],
      read: Object.fromEntries(readers.map((each) => [each, 'read'])),
      edit: Object.fromEntries(readers.map((each) => [each, 'edit'])),
    },
  },
  entry(key, 'before'),
]
const entry = (set: string, text: string) => ({
  type: 'config_entry',
  key: `${set}.all`,
  label: set,
  body: { set, scope: { kind: 'org' }, values: { words: text } },
})
const openChange = { components: [entry('open', 'after')] }

let test: TestServer
let ada: Ask
/** Oldest first. */
const visible: string[] = []
let requestPath: string

beforeAll(async () => {
  test = await runningServer()
  const apply = async (components: unknown[]) => {
    const { text } = await test.studio('POST', '/metadata/v3/apply', { components })
    expect(text).toContain('"generation"')
  }
  await apply([
    {
      type: 'permission_set',
      key: 'authors',
      label: 'Authors',
      body: { systemPermissions: ['config.author', 'deploy.approve', 'operations.manage'] },
    },
  ])
  const by = { actor: 'admin', correlationId: 't', isOperator: true as const }
  await test.beside(({ access }) =>
    access.addUser(by, { key: 'ada', name: 'Ada', permissionSets: ['authors'] }),
  )
  await apply([
    ...words('open', 'administrator', 'authors'),
    ...words('closed', 'administrator'),
    {
      type: 'integration_client',
      key: 'ada',
      label: 'Ada',
      body: { authScheme: 'oauth2_client_credentials', runAs: 'ada' },
    },
  ])
  ada = test.bearer((await test.beside(({ access }) => access.issueToken(by, 'ada'))).token)
  const store = async (expression: string): Promise<string> => {
    const { body } = await test.studio('POST', '/setup/v3/evaluate', { expression, store: expression })
    return String(body['resultId'])
  }
  const hidden = ['config.closed.words', 'config.closed.words + config.open.words']
  for (const expression of hidden) await store(expression)
  for (let at = 0; at < 2; at += 1) {
    visible.push(await store('config.open.words'))
    for (const each of hidden) await store(each)
  }
  const made = await test.studio('POST', '/metadata/v3/change-requests', { ...openChange, rationale: 'Why.' })
  requestPath = `/metadata/v3/change-requests/${String(made.body['id'])}/impact`
})
afterAll(() => test.close())

/** All pages of one result each. */
async function pagesOf(ask: Ask, path: string, list: object): Promise<ResultsImpact[]> {
  const pages: ResultsImpact[] = []
  for (let after: string | null | undefined; after !== null && pages.length < 20;) {
    const options = { results: { look: 1, ...(after === undefined ? {} : { after }) } }
    const { body } = await ask<{ results: ResultsImpact }>('POST', path, { ...list, ...options })
    pages.push(body.results)
    after = body.results.next
  }
  return pages
}

it.each([
  ['a change list', () => '/metadata/v3/impact', openChange],
  ['a change request', () => requestPath, {}],
])('the impact of %s counts and pages only the results that the viewer can see', async (_, path, list) => {
  const [older, newer] = visible
  expect(await pagesOf(ada, path(), list)).toMatchObject([
    { changed: [{ id: newer }], looked: 1, total: 2, reading: 1, next: newer },
    { changed: [{ id: older }], looked: 1, total: 2, reading: 1, next: null },
  ])
  const all = await pagesOf(test.studio, path(), list)
  expect(all.map(({ total }) => total)).toEqual(Array(8).fill(8))
  expect(all.reduce((sum, { reading }) => sum + reading, 0)).toBe(5)
  const { body } = await ada<{ results: ResultsImpact }>('POST', path(), { ...list, results: { look: 0 } })
  expect(body.results).toEqual({ changed: [], looked: 0, total: 2, reading: 0, next: null })
})

it('the count of results that are bound to a set has only those that the caller can see', async () => {
  const path = '/metadata/v3/components/config_set/open/bound-results'
  expect((await ada('GET', path)).body).toEqual({ bound: 2 })
  expect((await test.studio('GET', path)).body).toEqual({ bound: 5 })
})

it('the refusal of a purge counts only the results that the caller can see', async () => {
  expect((await test.studio('POST', '/metadata/v3/apply', openChange)).status).toBe(200)
  const { body: org } = await test.studio<{ generation: { generation: number } }>('GET', '/setup/v3/org')
  const before = org.generation.generation
  const details = (results: number) => [{ generation: before - 1, results }]
  const refused = await ada('POST', '/setup/v3/purge', { before })
  expect(refused.body).toMatchObject({ code: 'deploy.history_bound', details: details(2) })
  expect(refused.body['detail']).toContain('You cannot see all of them')
  const known = await test.studio('POST', '/setup/v3/purge', { before })
  expect(known.body).toMatchObject({ code: 'deploy.history_bound', details: details(8) })
  expect(known.body['detail']).not.toContain('You cannot see all of them')
})
