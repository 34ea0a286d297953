// An expression over a hidden set shows nothing of it: no name, field, kind, key or value (docs/reference/access.md).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runningServer, type Ask, type TestServer } from '../support/running-server.ts'

const set = (key: string, grants: object = {}) => ({
  type: 'config_set',
  key,
  label: key,
  body: {
    ...{ cardinality: 'keyed', keyedBy: { key: 'country', type: 'text' } },
    fields: [
      { key: 'rate', type: 'number', precision: 6, scale: 4, required: true },
      { key: 'note', type: 'text' },
    ],
    ...grants,
  },
})
const entry = (owner: string, rate: string) => ({
  ...{ type: 'config_entry', key: `${owner}.de`, label: 'DE' },
  body: { set: owner, key: 'DE', scope: { kind: 'org' }, values: { rate, note: 'secret words' } },
})
const flag = (key: string) => ({
  ...{ type: 'feature_flag', key, label: key },
  body: {
    ...{ default: true, owner: 'user:admin', rationale: 'A try.', expiresOn: '2099-12-31' },
    edit: { administrator: 'edit' },
  },
})
const calc = (key: string, expression: string) => ({
  ...{ type: 'calc_function', key, label: key },
  body: { params: [], returns: 'number', expression },
})
const permissions = (key: string, systemPermissions: string[]) => ({
  ...{ type: 'permission_set', key, label: key },
  body: { systemPermissions },
})
const people = {
  nobody: [],
  author: ['config.author'],
  approver: ['deploy.approve'],
  shaper: ['metadata.author'],
  granter: ['access.manage'],
}
type Person = keyof typeof people

let test: TestServer
const asks = {} as Record<Person, Ask>

beforeAll(async () => {
  test = await runningServer()
  const by = { actor: 'admin', correlationId: 't', isOperator: true as const }
  const post = async (components: unknown[]) => {
    const { status, text } = await test.studio('POST', '/metadata/v3/apply', { components })
    expect(status, text).toBe(200)
  }
  const names = Object.keys(people) as Person[]
  await post(names.map((name) => permissions(`of_${name}`, people[name])))
  await test.beside(async ({ access }) => {
    for (const name of names) await access.addUser(by, { key: name, name, permissionSets: [`of_${name}`] })
  })
  await post([
    ...names.map((name) => ({
      ...{ type: 'integration_client', key: name, label: name },
      body: { authScheme: 'oauth2_client_credentials', runAs: name },
    })),
    set('hidden_rates', { edit: { administrator: 'edit' } }),
    entry('hidden_rates', '0.4711'),
    flag('hidden_switch'),
    set('open_rates', { edit: { administrator: 'edit', of_author: 'edit' } }),
    entry('open_rates', '0.1900'),
    calc('g', '1'),
    calc('known', 'config.open_rates("DE").rate'),
  ])
  for (const name of names) {
    const { token } = await test.beside(({ access }) => access.issueToken(by, name))
    asks[name] = test.bearer(token)
  }
})
afterAll(() => test.close())

/** The parts of a response that would reveal that the set or flag exists, or what it holds. */
const telling = /hidden_rates|hidden_switch|country|secret|0\.47|is keyed|\\"note|a text/

const expressions = [
  'config.hidden_rate("DE").rate',
  'config.hidden_rates("DE").rat',
  'config.hidden_rates.rate',
  'config.hidden_rates("DE").note',
  'config.hidden_rates("DE", 1).rate',
  'flag.hidden_switc ? 1 : 0',
]
const verbs = ['validate', 'plan', 'diff', 'impact', 'review-document'] as const

describe.each(['nobody', 'author', 'approver'] as const)('%s', (who) => {
  it.each(verbs)('sees nothing of a hidden set through %s of an expression', async (verb) => {
    for (const expression of expressions) {
      const { text } = await asks[who]('POST', `/metadata/v3/${verb}`, {
        components: [calc('g', expression)],
      })
      // The response may contain what the caller wrote.
      const others = text.replaceAll(new RegExp(`\\b${/hidden_\w+/.exec(expression)![0]}\\b`, 'g'), 'SENT')
      expect(others, expression).not.toMatch(telling)
    }
  })

  it('gets the same response for a hidden set as for one that does not exist', async () => {
    const ask = async (name: string) => {
      const components = [calc('g', `config.${name}("DE").rate`)]
      const { text } = await asks[who]('POST', '/metadata/v3/plan', { components })
      return text
        .replaceAll(name, 'SET')
        .replace(/jcs1:sha256:\w+/g, 'D')
        .replace(/"correlationId":"[^"]*"/, '')
    }
    expect(await ask('hidden_rates')).toBe(await ask('absent_rates'))
  })
})

describe('the impact of an expression', () => {
  const changedBy = async (who: Person, expression: string) => {
    const { status, body, text } = await asks[who]<{
      results: { changed: { now: string; after: string }[] }
    }>('POST', '/metadata/v3/impact', { components: [calc('g', expression)] })
    expect(status, text).toBe(200)
    expect(text.replaceAll(expression, '')).not.toMatch(/0\.4711|secret/)
    return body.results.changed
  }

  beforeAll(async () => {
    for (const ask of [asks.author, asks.granter, asks.shaper]) {
      const stored = await ask('POST', '/setup/v3/evaluate', {
        expression: 'g()',
        asOf: '2026-01-01',
        store: 'mine',
      })
      expect(stored.status, stored.text).toBe(200)
    }
  })

  it.each(['author', 'granter', 'shaper'] as const)('evaluates no hidden value for %s', async (who) => {
    for (const expression of [
      'config.hidden_rates("DE").rate',
      'config.hidden_rates("XX").rate',
      'size(config.hidden_rates("DE").note)',
      'flag.hidden_switch ? 1 : 0',
    ])
      for (const { after } of await changedBy(who, expression)) expect(after).toBeNull()
  })

  it('evaluates visible values', async () => {
    expect(
      (await changedBy('author', 'config.open_rates("DE").rate')).map(({ now, after }) => [now, after]),
    ).toContainEqual(['"1"', '"0.19"'])
    expect((await changedBy('author', 'known() + 1')).map(({ after }) => after)).toContain('"1.19"')
  })

  it('shows no current value that is hidden', async () => {
    const applied = await test.studio('POST', '/metadata/v3/apply', {
      components: [calc('g', 'config.hidden_rates("DE").rate')],
    })
    expect(applied.status, applied.text).toBe(200)
    for (const who of ['author', 'granter', 'shaper'] as const) expect(await changedBy(who, '7')).toEqual([])
  })
})
