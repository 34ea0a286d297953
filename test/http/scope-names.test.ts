// A scope that names something that does not exist is refused on every route, like X-App.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runningServer, type TestServer } from '../support/running-server.ts'

let test: TestServer
let active = 0
beforeAll(async () => {
  test = await runningServer()
  const { status, text, body } = await test.studio('POST', '/metadata/v3/apply', {
    components: [
      { type: 'app', key: 'desk', label: 'Desk', body: { label: 'Desk' } },
      {
        type: 'config_set',
        key: 'greeting',
        label: 'Greeting',
        body: {
          cardinality: 'singleton',
          scopes: ['app', 'environment', 'org'],
          fields: [{ key: 'words', type: 'text' }],
          read: { administrator: 'read' },
          edit: { administrator: 'edit' },
        },
      },
      {
        type: 'config_entry',
        key: 'greeting.org',
        label: 'Hello',
        body: { set: 'greeting', scope: { kind: 'org' }, values: { words: 'Hello' } },
      },
      {
        type: 'config_entry',
        key: 'greeting.lab',
        label: 'Lab',
        body: {
          set: 'greeting',
          scope: { kind: 'environment', environment: 'lab' },
          values: { words: 'Lab' },
        },
      },
    ],
  })
  expect(status, text).toBe(200)
  active = body['generation'] as number
})
afterAll(() => test.close())

const doors: [string, object][] = [
  ['/setup/v3/resolve', { set: 'greeting' }],
  ['/setup/v3/evaluate/explain', { set: 'greeting' }],
  ['/setup/v3/evaluate', { expression: 'config.greeting.words' }],
  ['/setup/v3/compare-points', { set: 'greeting' }],
  ['/setup/v3/key-map', { set: 'greeting' }],
]

describe.each(doors)('%s', (path, body) => {
  const ask = (scope: object) => {
    const point = { generation: active, asOf: null }
    const points = path.endsWith('compare-points') ? { a: point, b: point } : {}
    return test.studio('POST', path, { ...body, ...points, scope })
  }

  it.each([
    [{ app: 'dsk' }, 'the app "dsk"'],
    [{ permission_set: ['administrator', 'nope'] }, 'the permission set "nope"'],
    [{ user: 'nobody' }, 'the user "nobody"'],
    [{ environment: 'moon' }, 'the environment "moon"'],
  ])('refuses a scope of %j', async (scope, named) => {
    const refused = await ask(scope)
    expect([refused.status, refused.body['code']]).toEqual([422, 'request.invalid'])
    expect(refused.body['detail']).toContain(`The scope names ${named}, which does not exist.`)
  })

  it('refuses a language that is not valid, and an unknown kind with the list of known kinds', async () => {
    expect(await ask({ locale: 'i-klingon' })).toMatchObject({ status: 400 })
    const { status, body: problem } = await ask({ planet: 'mars' })
    expect(status).toBe(400)
    expect(problem['detail']).toMatch(/"planet" .* It has user, permission_set, locale, app or environment/)
  })

  it('accepts what exists', async () => {
    for (const scope of [{ app: 'desk' }, { user: 'admin', environment: 'prod' }, { environment: 'lab' }])
      expect((await ask(scope)).status, JSON.stringify(scope)).toBe(200)
  })
})

it('a limit that is too high is refused with its maximum', async () => {
  for (const limit of ['100000000', '0', 'ten']) {
    const { status, body } = await test.studio('GET', `/metadata/v3/generations?limit=${limit}`)
    expect([status, body['detail']]).toEqual([400, '"limit": Use a whole number from 1 to 2000.'])
  }
})
