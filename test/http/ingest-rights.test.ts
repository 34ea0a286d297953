// Whose bulk jobs are whose: other users, operators and other clients, at every door of a job in every state.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apply, signIn } from '../support/billing-org.ts'
import {
  contactComponents,
  createJob,
  ended,
  jobs,
  load,
  putPart,
  type Job,
} from '../support/ingest-requests.ts'
import { runningServer, type Answer, type Ask, type TestServer } from '../support/running-server.ts'

let test: TestServer
let asks: Record<string, Ask>
beforeAll(async () => {
  test = await runningServer()
  const more = [
    { type: 'permission_set', key: 'nobody', label: 'Nobody', body: {} },
    {
      ...{ type: 'permission_set', key: 'reader', label: 'Reader' },
      body: {
        objects: { contact: { read: true, viewAll: true } },
        fields: { 'contact.code': { read: true }, 'contact.name': { read: true } },
      },
    },
  ]
  await apply(test.studio, [...contactComponents(), ...more])
  asks = await signIn(test, [
    { key: 'ada', permissionSets: ['loader'] },
    { key: 'bob', permissionSets: ['loader'] },
    { key: 'ops', permissionSets: ['operator'] },
    { key: 'boss', permissionSets: ['loader', 'operator'] },
    { key: 'rea', permissionSets: ['reader'] },
    { key: 'nil', permissionSets: ['nobody'] },
  ])
  // A second client of the same user.
  const client = { type: 'integration_client', key: 'ada_two', label: 'Two' }
  await apply(test.studio, [{ ...client, body: { authScheme: 'api_key', runAs: 'ada' } }])
  const by = { actor: 'admin', correlationId: 'c', isOperator: true }
  const { token } = await test.beside(({ access }) => access.issueToken(by as never, 'ada_two'))
  asks['ada_two'] = test.bearer(token)
})
afterAll(() => test.close())

const insert = { object: 'contact', operation: 'insert', format: 'csv' }
const outcome = ({ status, body }: Answer): string =>
  status < 300 ? String(status) : `${status} ${String(body['code'])}`

type Door = (ask: Ask, id: string) => Promise<Answer>
const doors: Readonly<Record<string, Door>> = {
  get: (ask, id) => ask('GET', `${jobs}/${id}`),
  part: (ask, id) => putPart(ask, id, 2, 'x\n') as Promise<Answer>,
  close: (ask, id) => ask('POST', `${jobs}/${id}/close`, { parts: 2 }),
  results: (ask, id) => ask('GET', `${jobs}/${id}/results`),
  failed: (ask, id) => ask('GET', `${jobs}/${id}/rows?of=failed`),
  unprocessed: (ask, id) => ask('GET', `${jobs}/${id}/rows?of=unprocessed`),
  abort: (ask, id) => ask('POST', `${jobs}/${id}/abort`),
}
const unknown = '404 ingest.not_found'
const ended409 = '409 ingest.state'

describe.each<[string, () => Promise<string>, Record<string, Record<string, string>>]>([
  [
    'an open job',
    async () => {
      const id = await createJob(asks['ada']!, insert)
      await putPart(asks['ada']!, id, 1, 'code\n')
      return id
    },
    {
      operator: {
        get: '200',
        part: unknown,
        close: unknown,
        results: unknown,
        failed: unknown,
        unprocessed: unknown,
        abort: '200',
      },
      creator: { get: '200', part: '200', close: '200' },
    },
  ],
  [
    'a completed job',
    async () => (await load(asks['ada']!, { ...insert, format: 'csv' }, `code\nP${Math.random()}\n`)).id,
    {
      operator: {
        get: '200',
        part: unknown,
        close: unknown,
        results: unknown,
        failed: unknown,
        unprocessed: unknown,
        abort: '200',
      },
      creator: {
        get: '200',
        part: ended409,
        close: ended409,
        results: '200',
        failed: '200',
        unprocessed: '200',
        abort: '200',
      },
    },
  ],
  [
    'a job that ended early',
    async () => (await load(asks['ada']!, { ...insert, format: 'csv' }, `code\n"P${Math.random()}\n`)).id,
    {
      operator: {
        get: '200',
        part: unknown,
        close: unknown,
        results: unknown,
        failed: unknown,
        unprocessed: unknown,
        abort: '200',
      },
      creator: {
        get: '200',
        part: ended409,
        close: ended409,
        results: '200',
        failed: '200',
        unprocessed: '200',
        abort: '200',
      },
    },
  ],
])('%s', (_name, make, { operator, creator }) => {
  const askAll = async (user: string, names: readonly string[]): Promise<Record<string, string>> => {
    const id = await make()
    const found: Record<string, string> = {}
    for (const name of names) found[name] = outcome(await doors[name]!(asks[user]!, id))
    return found
  }

  it.each(['bob', 'rea', 'nil'])(
    'does not exist for %s, with and without rights on its object',
    async (user) => {
      const found = await askAll(user, Object.keys(doors))
      expect(new Set(Object.values(found))).toEqual(new Set([unknown]))
    },
  )

  it.each(['ops', 'boss'])(
    'can be followed and ended by %s, who sees no rows and sends none',
    async (user) => {
      expect(await askAll(user, Object.keys(operator!))).toEqual(operator)
    },
  )

  it.each(['ada', 'ada_two'])('is open to its creator through the client %s', async (user) => {
    expect(await askAll(user, Object.keys(creator!))).toEqual(creator)
  })
})

it('a job that does not exist looks the same as that of another user', async () => {
  const id = await createJob(asks['ada']!, insert)
  for (const door of Object.values(doors)) {
    const [theirs, none] = [await door(asks['bob']!, id), await door(asks['bob']!, 'no-job')]
    const words = ({ text }: Answer): string =>
      text
        .replaceAll(id, '<id>')
        .replaceAll('no-job', '<id>')
        .replace(/"correlationId":"[^"]*"/, '')
    expect(words(theirs)).toBe(words(none))
  }
})

it('an operator sees what a job is, but neither columns nor the message of its problem', async () => {
  const secret = `Z${Math.random()}`
  const job = await load(
    asks['ada']!,
    { ...insert, columns: ['code', 'note'], format: 'csv' },
    `"${secret}\n`,
  )
  expect(job.problem!.message).toContain('line 1')
  const { body } = await asks['ops']!<Job>('GET', `${jobs}/${job.id}`)
  expect(body).toMatchObject({
    columns: null,
    problem: { code: 'ingest.row', message: 'Its creator can see why.' },
  })
  // Without any right on its object, its name is hidden too.
  expect(body).toMatchObject({ object: null, createdBy: 'ada' })
})

it('a list has the jobs of the user, or of all users for an operator; its filters hide nothing else', async () => {
  const id = await createJob(asks['bob']!, insert)
  const failed = await load(asks['bob']!, { ...insert, format: 'csv' }, 'code,amount\nL1,-1\n')
  const idsOf = async (user: string, query = ''): Promise<string[]> => {
    const { body } = await asks[user]!<{ jobs: Job[] }>('GET', `${jobs}?limit=100${query}`)
    return body.jobs.map((job) => job.id)
  }
  expect(await idsOf('bob')).toEqual([failed.id, id])
  expect(await idsOf('bob', '&failed=true')).toEqual([failed.id])
  expect(await idsOf('bob', '&object=contact&state=open')).toEqual([id])
  expect(await idsOf('bob', '&object=region')).toEqual([])
  expect(await idsOf('ada')).not.toContain(id)
  expect(await idsOf('ops')).toContain(id)
  const hidden = await asks['ops']!('GET', `${jobs}?object=contact`)
  expect(outcome(hidden)).toBe('404 object.not_found')
})

it.each<[string, string, object, string]>([
  ['a user without a right on the object', 'nil', insert, '404 object.not_found'],
  [
    'a user who can read it alone, by columns',
    'rea',
    { ...insert, columns: ['code', 'name'] },
    '422 ingest.columns',
  ],
])('%s creates no job', async (_name, user, request, expected) => {
  expect(outcome(await asks[user]!('POST', jobs, request))).toBe(expected)
})

it('a creator who loses their rights while a job waits saves nothing more', async () => {
  const id = await createJob(asks['bob']!, insert)
  await putPart(asks['bob']!, id, 1, 'code\nLOST1\n')
  const by = { actor: 'admin', correlationId: 'c', isOperator: true } as never
  const sets = (permissionSets: string[]): Promise<unknown> =>
    test.beside(({ access }) => access.changeUser(by, 'bob', { permissionSets }))
  await sets(['nobody'])
  const closed = await asks['bob']!('POST', `${jobs}/${id}/close`, { parts: 1 })
  expect(outcome(closed)).toBe('404 object.not_found')
  await sets(['loader'])
  await asks['bob']!('POST', `${jobs}/${id}/close`, { parts: 1 })
  expect(await ended(asks['bob']!, id)).toMatchObject({ state: 'completed', created: 1 })
})

it('a batch that waits while an apply takes a right away has the rights of when it begins', async () => {
  const users = ['ada', 'bob', 'boss'] as const
  const rows = (user: string): string =>
    Array.from({ length: 4000 }, (_, at) => `${user}-late-${at}\n`).join('')
  const ids = await Promise.all(
    users.map(async (user) => {
      const id = await createJob(asks[user]!, insert)
      await putPart(asks[user]!, id, 1, `code\n${rows(user)}`)
      await asks[user]!('POST', `${jobs}/${id}/close`, { parts: 1 })
      return id
    }),
  )
  const savedRows = async (): Promise<number> => {
    const all = await Promise.all(users.map((user, at) => asks[user]!<Job>('GET', `${jobs}/${ids[at]}`)))
    return all.reduce((sum, { body }) => sum + body.succeeded, 0)
  }
  await expect.poll(savedRows).toBeGreaterThan(0)
  const loader = contactComponents().find((each) => (each as { key: string }).key === 'loader') as {
    body: { objects: { contact: object } }
  }
  const { objects } = loader.body
  const reduced = { ...objects, contact: { ...objects.contact, create: false } }
  await apply(test.studio, [{ ...loader, body: { ...loader.body, objects: reduced } }])
  const saved = await savedRows()
  const all = await Promise.all(users.map((user, at) => ended(asks[user]!, ids[at]!)))
  await apply(test.studio, [loader])
  expect(all.every(({ failed }) => failed > 0)).toBe(true)
  // Two batches can be in progress as it is applied.
  expect(all.reduce((sum, { succeeded }) => sum + succeeded, 0) - saved).toBeLessThanOrEqual(400)
})
