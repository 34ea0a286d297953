// The lists of flags, and the picker of owners.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runningServer, type TestServer } from '../support/running-server.ts'
import { administrator, everything } from '../support/small-org.ts'

const operator = { actor: 'admin', correlationId: 't', isOperator: true }
const day = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
const flag = (key: string, days: number, owner: object = { user: 'admin' }) => ({
  type: 'feature_flag',
  key,
  label: `Flag ${key}`,
  body: { owner, expiresOn: day(days), rationale: 'Trying it.', scopes: ['app', 'org'], ...administrator },
})

interface Page {
  flags: {
    key: string
    daysLeft: number
    state: string
    owner: object
    entries: unknown[]
    default: boolean | null
    mayEdit: boolean
    usages: number
    drafts: number
  }[]
  total: number
  states: object
  nextCursor: string | null
}

let test: TestServer
beforeAll(async () => {
  test = await runningServer()
  await test.beside(async ({ access }) => {
    await access.addUser(operator, { key: 'mara', name: 'Mara Öhman', permissionSets: [] })
    await access.addUser(operator, { key: 'omar', name: 'Omar Said', permissionSets: [] })
  })
  const { status, text } = await test.studio('POST', '/metadata/v3/apply', {
    components: [
      ...everything,
      { type: 'app', key: 'shop', label: 'Shop', body: { objects: [], pages: [], flows: [] } },
      flag('soon', 9, { user: 'mara' }),
      flag('late', 200),
      flag('gone', -5),
      {
        type: 'config_entry',
        key: 'soon.shop',
        label: 'Shop',
        body: { set: 'soon', scope: { kind: 'app', app: 'shop' }, values: { value: true } },
      },
      {
        type: 'calc_function',
        key: 'reads',
        label: 'Reads',
        body: { params: [], returns: 'boolean', expression: 'flag.soon' },
      },
    ],
  })
  expect([status, text.slice(0, 300)]).toEqual([200, text.slice(0, 300)])
})
afterAll(() => test.close())

const list = async (query = '', headers = {}) =>
  (await test.studio<Page>('GET', `/setup/v3/flags${query}`, undefined, headers)).body

describe('flags', () => {
  it('are listed with owner, days left, state, entries and readers, the soonest to end first', async () => {
    const { flags, total, states } = await list()
    expect(flags.map(({ key, state }) => [key, state])).toEqual([
      ['gone', 'frozen'],
      ['soon', 'expiring'],
      ['late', 'active'],
      ['new_invoice', 'active'],
    ])
    expect([total, states]).toEqual([4, { active: 2, expiring: 1, frozen: 1 }])
    expect(flags[1]).toMatchObject({
      owner: { kind: 'user', key: 'mara', name: 'Mara Öhman', live: true },
      daysLeft: 9,
      default: false,
      entries: [{ entry: 'soon.shop', scope: { kind: 'app', app: 'shop' }, value: true, priority: null }],
      usages: 1,
      edit: ['administrator'],
      mayEdit: true,
      drafts: 0,
    })
  })

  it('are filtered by state, text and owner, and paged', async () => {
    expect((await list('?state=frozen')).flags.map(({ key }) => key)).toEqual(['gone'])
    expect((await list('?owner=user:mara')).flags.map(({ key }) => key)).toEqual(['soon'])
    expect((await list('?q=LATE')).flags.map(({ key }) => key)).toEqual(['late'])
    const first = await list('?limit=3')
    const second = await list(`?limit=3&cursor=${first.nextCursor}`)
    expect([...first.flags, ...second.flags].map(({ key }) => key)).toEqual([
      'gone',
      'soon',
      'late',
      'new_invoice',
    ])
    expect(second.nextCursor).toBeNull()
  })

  it('are hidden from users without a permission that shows them', async () => {
    expect((await list('', { 'x-view-as': 'omar' })).flags).toEqual([])
  })
})

describe('principals', () => {
  const keys = async (query: string) => {
    const { body } = await test.studio<{ users: { key: string }[]; total: { users: number } }>(
      'GET',
      `/setup/v3/principals${query}`,
    )
    return [body.users.map(({ key }) => key), body.total.users]
  }

  it('are found by the beginning of their key or of a word of their name, the key first', async () => {
    expect(await keys('?q=ma')).toEqual([['mara'], 1])
    expect(await keys('?q=ohm')).toEqual([['mara'], 1])
    expect(await keys('?q=SAID')).toEqual([['omar'], 1])
    expect(await keys('?q=ar')).toEqual([[], 0])
    expect(await keys('?limit=1')).toEqual([['admin'], 3])
  })
})
