// Two orgs whose hidden entries have different values, keys and scopes. Any user can plan any list, so a plan must not
// reveal whether a hidden entry would be valid with it: nothing to users who cannot apply the list, and no more than
// that to others.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Finding } from '#kernel/errors/finding.ts'
import { runningServer, type Ask, type TestServer } from '../support/running-server.ts'
import { administrators } from './leak-files.ts'

const by = { actor: 'admin', correlationId: 't', isOperator: true as const }
/** User → system permissions. None of them has a grant on the hidden set or flag. */
const people: Record<string, string[]> = {
  nobody: [],
  author: ['config.author'],
  approver: ['deploy.approve'],
  shaper: ['metadata.author', 'config.author'],
  granter: ['access.manage'],
}

interface World {
  test: TestServer
  ask: Record<string, Ask>
}

let snapshots: [World, World]
beforeAll(async () => {
  snapshots = [await createWorld(false), await createWorld(true)]
})
afterAll(async () => {
  for (const { test } of snapshots) await test.close()
})

const hiddenFields = [
  { key: 'rate', type: 'number', precision: 10, scale: 4 },
  { key: 'band', type: 'enum', valueSet: 'bands' },
  { key: 'since', type: 'date' },
  { key: 'note', type: 'text' },
]

const hidden = (body: object = {}) => ({
  type: 'config_set',
  key: 'hidden',
  label: 'Hidden',
  body: {
    cardinality: 'keyed',
    keyedBy: { key: 'region', type: 'enum', valueSet: 'regions' },
    scopes: ['app', 'permission_set', 'org'],
    fields: hiddenFields,
    ...administrators,
    ...body,
  },
})
const flag = (body: object = {}) => ({
  type: 'feature_flag',
  key: 'secret',
  label: 'Secret',
  body: {
    owner: { user: 'admin' },
    expiresOn: '2099-01-01',
    rationale: 'A trial',
    default: false,
    scopes: ['app', 'org'],
    ...administrators,
    ...body,
  },
})
const valueSet = (key: string, ...members: string[]) => ({
  type: 'value_set',
  key,
  label: key,
  // A member is written with a minus if it is inactive.
  body: {
    values: members.map((each) => ({
      ...{ key: each.replace('-', ''), label: each.replace('-', '') },
      active: !each.endsWith('-'),
    })),
  },
})
const entry = (key: string, body: object) => ({
  type: 'config_entry',
  key,
  label: 'Same',
  body: { set: key.split('.')[0], scope: { kind: 'org' }, ...body },
})
const app = (key: string) => ({ type: 'app', key, label: key, body: { objects: [], pages: [], flows: [] } })
const rights = (key: string, systemPermissions: string[] = []) => ({
  type: 'permission_set',
  key,
  label: key,
  body: { systemPermissions },
})
const withField = (name: string, change: object) =>
  hidden({ fields: hiddenFields.map((field) => (field.key === name ? { ...field, ...change } : field)) })

async function createWorld(second: boolean): Promise<World> {
  const test = await runningServer()
  const apply = async (...components: unknown[]): Promise<void> => {
    const { status, text } = await test.studio('POST', '/metadata/v3/apply', { components })
    expect([status, text]).toEqual([200, text])
  }
  await apply(
    ...Object.entries(people).map(([key, system]) => rights(`${key}_rights`, system)),
    rights('one'),
    valueSet('regions', 'a', 'b', 'c'),
    valueSet('bands', 'low', 'high', 'old'),
    app('first'),
    app('second'),
  )
  await test.beside(async ({ access }) => {
    for (const key of Object.keys(people))
      await access.addUser(by, { key, name: key, permissionSets: [`${key}_rights`] })
  })
  const client = { authScheme: 'oauth2_client_credentials' }
  await apply(
    ...Object.keys(people).map((key) => ({
      ...{ type: 'integration_client', key, label: key },
      body: { ...client, runAs: key },
    })),
    hidden(),
    flag(),
    entry(
      'hidden.x',
      second
        ? { key: 'b', values: { rate: '0.1234', band: 'old', since: '2020-01-01', note: 'alpha' } }
        : { key: 'a', values: { rate: '123456.5', band: 'low', since: '2030-01-01', note: 'omega' } },
    ),
    entry(
      'hidden.y',
      second
        ? { key: 'b', scope: { kind: 'app', app: 'first' }, values: { rate: '1' } }
        : {
            key: 'a',
            scope: { kind: 'permission_set', permissionSet: 'one' },
            priority: 1,
            values: { rate: '2' },
          },
    ),
    entry('secret.x', { scope: { kind: 'app', app: second ? 'first' : 'second' }, values: { value: true } }),
  )
  await apply(valueSet('bands', 'low', 'high', 'old-'))
  const ask: Record<string, Ask> = {}
  for (const key of Object.keys(people)) {
    const { token } = await test.beside(({ access }) => access.issueToken(by, key))
    ask[key] = test.bearer(token)
  }
  return { test, ask }
}

/** Lists with which a hidden entry is valid in one of the orgs or in neither. */
const lists: Record<string, object> = {
  'without a key': { components: [valueSet('regions', 'b', 'c')] },
  'without the other key': { components: [valueSet('regions', 'a', 'c')] },
  'an inactive key': { components: [valueSet('regions', 'a-', 'b', 'c')] },
  'without a value': { components: [valueSet('bands', 'high', 'old-')] },
  'an inactive value': { components: [valueSet('bands', 'low-', 'high', 'old-')] },
  'without a value set': { removals: ['value_set/bands'] },
  'without an app': { removals: ['app/first'] },
  'without the other app': { removals: ['app/second'] },
  'without a permission set': { removals: ['permission_set/one'] },
  'an app under a different name': { components: [{ ...app('third'), renamedFrom: 'first' }] },
  'a permission set under a different name': { components: [{ ...rights('two'), renamedFrom: 'one' }] },
  'a smaller scale': { components: [withField('rate', { scale: 2 })] },
  'a smaller precision': { components: [withField('rate', { precision: 6 })] },
  'a required field': { components: [withField('band', { required: true })] },
  'a field of a different type': { components: [{ ...withField('note', { type: 'date' }), breaking: true }] },
  'a value set made for the test': {
    components: [
      valueSet('guess', 'alpha'),
      { ...withField('note', { type: 'enum', valueSet: 'guess' }), breaking: true },
    ],
  },
  'without a field': { components: [hidden({ fields: hiddenFields.slice(0, 2) })] },
  'without a scope': { components: [hidden({ scopes: ['permission_set', 'org'] })] },
  'without the other scope': { components: [hidden({ scopes: ['app', 'org'] })] },
  'a key of a different type': {
    components: [{ ...hidden({ keyedBy: { key: 'region', type: 'number' } }), breaking: true }],
  },
  'a flag without a scope': { components: [flag({ scopes: ['org'] })] },
  'nothing, with prune': { components: [], prune: true },
}
const verbs = ['diff', 'validate', 'plan', 'impact', 'review-document', 'change-requests', 'apply']
const reads = [
  '/setup/v3/problems',
  '/metadata/v3/components/counts',
  '/metadata/v3/components?state=invalid',
  '/metadata/v3/components?q=old',
  '/metadata/v3/components/value_set/bands/where-used?member=old',
  '/metadata/v3/components/app/first/where-used',
  '/metadata/v3/components/app/first',
  '/setup/v3/search?q=old',
  '/setup/v3/search?q=a&app=first',
  '/setup/v3/home',
]

async function answers(user: string, method: string, path: string, body?: object): Promise<[string, string]> {
  const both = await Promise.all(snapshots.map(({ ask }) => ask[user]!(method, path, body)))
  return both.map(({ status, text }) => plain(`${status} ${text}`)) as [string, string]
}

/** Removes what differs between any two orgs. */
function plain(text: string): string {
  return text
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '#id')
    .replace(/\([0-9a-f]{4} [0-9a-f]{4}\)/g, '#short')
    .replace(/[0-9a-f]{64}/g, '#digest')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, '#moment')
}

describe.each(Object.keys(people))('hidden values and %s', (user) => {
  it.each(reads)('%s', async (path) => {
    const [one, other] = await answers(user, 'GET', path)
    expect(one).toBe(other)
  })
})

describe.each(['nobody', 'author', 'approver'])('lists that %s cannot apply', (user) => {
  it.each(Object.entries(lists))('reveal nothing of hidden values: %s', async (_, list) => {
    for (const verb of verbs) {
      const [one, other] = await answers(user, 'POST', `/metadata/v3/${verb}`, list)
      expect(one).toBe(other)
    }
  })
})

describe('users who can apply a list', () => {
  const about = ({ component, related }: Finding): boolean =>
    [component, ...related.map((each) => each.component)].some((id) => id.includes('hidden') || id === '')

  it.each(Object.entries(lists))('see no more than whether it is valid: %s', async (_, list) => {
    for (const snapshot of snapshots) {
      const { body } = await snapshot.ask['shaper']!<{ findings: Finding[] }>(
        'POST',
        '/metadata/v3/validate',
        list,
      )
      const findings = body.findings.filter((each) => about(each) && !each.code.startsWith('expression.'))
      // A fault of the definition itself is not secret.
      const vague = findings.filter(({ path }) => path === '')
      const codes = vague.map(({ code }) => code)
      expect(codes.filter((code) => !['access.hidden', 'deploy.still_referenced'].includes(code))).toEqual([])
      expect(vague.length).toBeLessThanOrEqual(1)
      expect(JSON.stringify(findings)).not.toMatch(/alpha|omega|123456|0\.1234|hidden\.[xy]/)
    }
  })

  it('see whether it is valid', async () => {
    const scale = { components: [withField('rate', { scale: 2 })] }
    const responses = await Promise.all(
      snapshots.map(({ ask }) =>
        ask['shaper']!<{ findings: Finding[] }>('POST', '/metadata/v3/validate', scale),
      ),
    )
    expect(responses.map(({ body }) => body.findings.map(({ code }) => code))).toEqual([
      [],
      ['access.hidden'],
    ])
  })
})

describe.each(['author', 'shaper', 'granter'])('a rename by %s', (user) => {
  it.each([
    ['app', 'first', 'third'],
    ['app', 'second', 'third'],
    ['permission_set', 'one', 'two'],
    ['value_set', 'bands', 'ranges'],
    ['config_set', 'hidden', 'moved'],
  ])('reveals nothing of hidden values: %s %s', async (type, from, to) => {
    const [one, other] = await answers(user, 'POST', '/metadata/v3/rename', { type, from, to })
    expect(one).toBe(other)
    for (const path of [
      '/setup/v3/drafts',
      '/setup/v3/draft-names',
      '/metadata/v3/components?state=changed',
    ]) {
      const [drafts, otherDrafts] = await answers(user, 'GET', path)
      expect(drafts).toBe(otherDrafts)
    }
    await answers(user, 'POST', '/setup/v3/discarded-drafts', { drafts: 'own' })
  })
})
