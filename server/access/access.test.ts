import { describe, expect, it } from 'vitest'
import { authorise } from './authorise.ts'
import { accessFromSets, effectiveAccess } from './effective-access.ts'
import { explainAccess } from './explain-access.ts'
import { createAccess } from './index.ts'
import { requireVisibleValues, visibilityIn } from './visibility.ts'
import { visibleView } from './visible-view.ts'
import type { Change } from '#kernel/change/index.ts'
import type { Component } from '#kernel/components/body-types.ts'
import { idOf } from '#kernel/components/component.ts'
import { MemoryView } from '#kernel/components/memory-view.ts'
import { entry, buildComponent } from '../../test/support/metadata.ts'
import { MemoryOrgStore } from '../../test/support/memory-org-store.ts'

const permissions = (key: string, systemPermissions: string[], more: object = {}): Component =>
  buildComponent('permission_set', key, { systemPermissions, ...more })
const set = (key: string, grants: object = {}): Component =>
  buildComponent('config_set', key, {
    cardinality: 'singleton',
    fields: [{ key: 'rate', type: 'text' }],
    ...grants,
  })
const flag = (key: string, more: object = {}): Component =>
  buildComponent('feature_flag', key, { owner: 'user:mara', expiresOn: '2027-01-01', ...more })
const operation = (grantedTo: string[]): Component =>
  buildComponent('automation', 'settle', { phase: 'invocable', grantedTo, actions: [] })
const credential = (grantedTo: string[]): Component =>
  buildComponent('external_credential', 'bank', {
    scheme: 'basic',
    principals: [{ key: 'shared', grantedTo }],
  })
const target = (more: object = {}, key = 'ledger'): Component =>
  buildComponent('named_credential', key, {
    ...{ url: 'https://ledger.example', externalCredential: 'bank', principal: 'shared', ...more },
  })
const bank = (key: string, scheme: object): Component =>
  buildComponent('external_credential', key, { principals: [{ key: 'shared', grantedTo: [] }], ...scheme })
const client = (runAs: string, more: object = {}): Component =>
  buildComponent('integration_client', 'shop', { authScheme: 'api_key', runAs, ...more })
const jwks = { authScheme: 'oauth2_jwt_bearer', jwks: { keys: [{ kty: 'OKP', crv: 'Ed25519', x: 'A' }] } }
const hook = (externalCredential: string): Component =>
  buildComponent('webhook_endpoint', 'pay', {
    path: '/hooks/pay',
    runAs: 'admin',
    verification: { scheme: 'hmac_sha256', externalCredential, signatureHeader: 'X-Sign' },
    dispatch: { automation: 'paid' },
  })

const sets = [
  permissions('shapers', ['metadata.author']),
  permissions('values', ['config.author']),
  permissions('security', ['access.manage']),
  permissions('root', ['platform.root']),
  permissions('tax', []),
  permissions('desk', []),
]
const vat = set('vat', { read: { desk: 'read' }, edit: { tax: 'edit' } })
const secret = set('secret')
const beta = flag('beta', { edit: { tax: 'edit' } })
const row = entry('vat.de', { values: { rate: 'a' } })
const base = new MemoryView([...sets, vat, secret, beta, row, credential([]), client('shop_user')])

const added = (after: Component): Change => ({ kind: 'added', id: idOf(after), after }) as Change
const removed = (before: Component): Change => ({ kind: 'removed', id: idOf(before), before }) as Change
const changed = (before: Component, after: Component): Change =>
  ({ kind: 'changed', id: idOf(after), before, after, values: [], hints: {} }) as unknown as Change
const renamed = (before: Component, after: Component): Change =>
  ({ kind: 'renamed', id: idOf(after), from: idOf(before), before, after, values: [] }) as unknown as Change
const relabelled = <C extends Component>(component: C): C => ({ ...component, label: 'Another' })

function denialTexts(held: string[], changes: Change[]): string[] {
  const access = accessFromSets('mara', held, base)
  const gone = new Set(changes.flatMap((change) => ('before' in change ? [idOf(change.before)] : [])))
  const candidate = new MemoryView([
    ...[...base.all()].filter((each) => !gone.has(idOf(each))),
    ...changes.flatMap((change) => ('after' in change ? [change.after as Component] : [])),
  ])
  return authorise(access, changes, base, candidate).map(({ id, permission }) => `${id} ${permission}`)
}

describe('what each change requires', () => {
  const newSet = set('fresh')
  const newRow = entry('fresh.one', { values: { rate: 'x' } })
  const movedSet = { ...vat, key: 'tva' } as Component
  const movedRow = { ...row, key: 'tva.de', body: { ...row.body, set: 'tva' } } as Component
  const otherRow = { ...movedRow, body: { ...row.body, set: 'tva', values: { rate: 'b' } } } as Component
  const cases: [string, string[], Change[], string[]][] = [
    ['a set needs metadata.author', ['values', 'tax'], [added(newSet)], ['config_set/fresh metadata.author']],
    [
      'a shape is not a value',
      ['shapers'],
      [changed(row, relabelled(row))],
      ['config_entry/vat.de config.author', 'config_entry/vat.de edit:vat'],
    ],
    [
      'config.author alone edits no set',
      ['values'],
      [changed(row, relabelled(row))],
      ['config_entry/vat.de edit:vat'],
    ],
    [
      'an edit grant alone edits no set',
      ['tax'],
      [changed(row, relabelled(row))],
      ['config_entry/vat.de config.author'],
    ],
    [
      'a read grant does not allow editing',
      ['values', 'desk'],
      [removed(row)],
      ['config_entry/vat.de edit:vat'],
    ],
    ['both edit', ['values', 'tax'], [changed(row, relabelled(row)), removed(row)], []],
    [
      'an edit grant is for its set',
      ['values', 'tax'],
      [added(entry('secret.a', { values: {} }))],
      ['config_entry/secret.a edit:secret'],
    ],
    ['first values of a new set', ['shapers', 'values'], [added(newSet), added(newRow)], []],
    [
      'first values, config.author lacking',
      ['shapers'],
      [added(newSet), added(newRow)],
      ['config_entry/fresh.one config.author'],
    ],
    [
      'entries of a flag that is new',
      ['values'],
      [
        added(flag('gamma')),
        added(
          entry('gamma.prod', {
            scope: { kind: 'environment', environment: 'prod' },
            values: { value: true },
          }),
        ),
      ],
      [],
    ],
    ['a flag that exists', ['values'], [changed(beta, relabelled(beta))], ['feature_flag/beta edit:beta']],
    ['a flag with its grant', ['values', 'tax'], [removed(beta)], []],
    [
      'a grant needs access.manage',
      ['shapers', 'values'],
      [changed(secret, set('secret', { edit: { values: 'edit' } }))],
      ['config_set/secret access.manage'],
    ],
    [
      'a grant asks for nothing else',
      ['security'],
      [changed(secret, set('secret', { read: { desk: 'read' } }))],
      [],
    ],
    [
      'a grant and a label ask for both',
      ['security'],
      [changed(secret, relabelled(set('secret', { read: { desk: 'read' } })))],
      ['config_set/secret metadata.author'],
    ],
    [
      'nobody grants to themselves on the way',
      ['values', 'desk'],
      [changed(vat, set('vat', { edit: { desk: 'edit' } })), changed(row, relabelled(row))],
      ['config_set/vat access.manage'],
    ],
    [
      'a grant on a new set',
      ['shapers'],
      [added(set('fresh', { read: { desk: 'read' } }))],
      ['config_set/fresh access.manage'],
    ],
    [
      'a permission set',
      ['shapers', 'values'],
      [added(permissions('more', []))],
      ['permission_set/more access.manage'],
    ],
    [
      'grantedTo of a principal',
      ['shapers'],
      [changed(credential([]), credential(['desk']))],
      ['external_credential/bank access.manage'],
    ],
    [
      'a URL to which existing secrets are sent',
      ['shapers'],
      [changed(target(), target({ url: 'https://elsewhere.example' }))],
      ['named_credential/ledger integration.manage_credentials'],
    ],
    [
      'a new target of existing secrets',
      ['shapers'],
      [added(target({}, 'copy'))],
      ['named_credential/copy integration.manage_credentials'],
    ],
    [
      'other secrets for a target',
      ['shapers'],
      [changed(target(), target({ principal: 'other' }))],
      ['named_credential/ledger integration.manage_credentials'],
    ],
    [
      'a token URL',
      ['shapers'],
      [
        changed(
          bank('bank', { scheme: 'oauth2_client_credentials', tokenUrl: 'https://a.example' }),
          bank('bank', { scheme: 'oauth2_client_credentials', tokenUrl: 'https://b.example' }),
        ),
      ],
      ['external_credential/bank integration.manage_credentials'],
    ],
    [
      'a target of secrets that do not exist yet',
      ['shapers'],
      [added(bank('fresh', { scheme: 'basic' })), added(target({ externalCredential: 'fresh' }))],
      [],
    ],
    ['the timeout of a target', ['shapers'], [changed(target(), target({ timeoutMs: 9 }))], []],
    [
      'a target whose external credential is renamed',
      ['shapers'],
      [
        renamed(credential([]), { ...credential([]), key: 'savings' } as Component),
        changed(target(), target({ externalCredential: 'savings' })),
      ],
      [],
    ],
    [
      'grantedTo of an automation',
      ['shapers'],
      [changed(operation([]), operation(['desk']))],
      ['automation/settle access.manage'],
    ],
    [
      'grantedTo of an automation asks for nothing else',
      ['security'],
      [changed(operation([]), operation(['desk']))],
      [],
    ],
    [
      'a client that runs as another',
      ['shapers'],
      [changed(client('shop_user'), client('admin'))],
      ['integration_client/shop access.manage'],
    ],
    [
      'a key that is planted on a client that runs as another',
      ['shapers'],
      [changed(client('admin'), client('admin', jwks))],
      ['integration_client/shop access.manage'],
    ],
    [
      'another way to prove such a client',
      ['shapers'],
      [changed(client('admin', jwks), client('admin'))],
      ['integration_client/shop access.manage'],
    ],
    [
      'such a client under a new key, with a key of one’s own',
      ['shapers'],
      [renamed(client('admin'), { ...client('admin', jwks), key: 'store' } as Component)],
      ['integration_client/store access.manage'],
    ],
    [
      'a new client that runs as another',
      ['shapers'],
      [added(client('admin', jwks))],
      ['integration_client/shop access.manage'],
    ],
    [
      'what proves a webhook that runs as another',
      ['shapers'],
      [changed(hook('bank'), hook('mine'))],
      ['webhook_endpoint/pay access.manage'],
    ],
    [
      'how fast such a client may go',
      ['shapers'],
      [changed(client('admin'), client('admin', { deprecationWindowDays: 60 }))],
      [],
    ],
    [
      'one’s own keys of a client that runs as oneself',
      ['shapers'],
      [changed(client('mara'), client('mara', jwks))],
      [],
    ],
    ['a client that runs as oneself', ['shapers'], [changed(client('shop_user'), client('mara'))], []],
    [
      'a set renamed takes its entries along',
      ['shapers'],
      [renamed(vat, movedSet), renamed(row, movedRow)],
      [],
    ],
    [
      'and no new values',
      ['shapers'],
      [renamed(vat, movedSet), renamed(row, otherRow)],
      ['config_entry/tva.de config.author', 'config_entry/tva.de edit:vat', 'config_entry/tva.de edit:tva'],
    ],
    [
      'platform.root bypasses all',
      ['root'],
      [removed(vat), removed(row), added(permissions('more', []))],
      [],
    ],
    [
      'a user without permission sets can do nothing',
      [],
      [removed(secret)],
      ['config_set/secret metadata.author'],
    ],
  ]
  it.each(cases)('%s', (_name, held, changes, expected) => {
    expect(denialTexts(held, changes)).toEqual(expected)
  })
})

describe('what is visible', () => {
  const seen = (held: string[]) => visibilityIn(accessFromSets('mara', held, base), base)
  it('hides a set until a permission set grants it', () => {
    expect(seen(['values']).canSeeDefinition('vat')).toBe(false)
    expect(seen(['desk']).canSeeDefinition('vat')).toBe(true)
    expect(seen(['tax']).canSeeValues('vat')).toBe(true)
    expect(seen(['desk']).canSeeDefinition('secret')).toBe(false)
  })
  it('shows definitions but no values to a metadata author', () => {
    expect(seen(['shapers']).canSeeDefinition('vat')).toBe(true)
    expect(seen(['shapers']).canSeeValues('vat')).toBe(false)
    expect(seen(['root']).canSeeValues('vat')).toBe(true)
  })
  it('refuses an invisible set like one that does not exist, and a visible one by name', () => {
    expect(() => requireVisibleValues(seen(['values']), 'vat', 'mara')).toThrow(
      expect.objectContaining({ code: 'config.unknown_set' }),
    )
    expect(() => requireVisibleValues(seen(['shapers']), 'vat', 'mara')).toThrow(
      expect.objectContaining({ code: 'access.denied' }),
    )
    expect(() => requireVisibleValues(seen(['desk']), 'vat', 'mara')).not.toThrow()
  })
  it('returns a view without it', () => {
    const view = visibleView(base, seen(['desk']))
    expect([...view.keys('config_set')]).toEqual(['vat'])
    expect(view.get('config_set', 'secret')).toBeUndefined()
    expect(view.has('feature_flag', 'beta')).toBe(false)
    expect(view.count('config_set')).toBe(1)
    expect([...view.entriesOf('vat')]).toHaveLength(1)
    const shaper = visibleView(base, seen(['shapers']))
    expect(shaper.count('config_entry')).toBe(0)
    expect([...shaper.entriesOf('vat')]).toEqual([])
    expect([...shaper.keys('config_set')]).toEqual(['secret', 'vat'])
  })
})

describe('effective access', () => {
  const view = new MemoryView([
    permissions('a', ['config.author'], {
      objects: { invoice: { read: true } },
      fields: { 'invoice.amount': { read: true } },
    }),
    permissions('b', ['audit.read'], {
      objects: { invoice: { update: true } },
      fields: { 'invoice.amount': { edit: true } },
    }),
  ])
  it('combines the permission sets and ignores deleted ones', () => {
    const access = accessFromSets('mara', ['b', 'gone', 'a'], view)
    expect(access.permissionSets).toEqual(['a', 'b'])
    expect([...access.system].sort()).toEqual(['audit.read', 'config.author'])
    expect(access.objects.invoice).toMatchObject({ read: true, update: true, delete: false })
    expect(access.fields['invoice.amount']).toEqual({ read: true, edit: true })
  })
  it('gives an inactive user no permissions and refuses an unknown one', () => {
    const store = new MemoryOrgStore()
    store.addGeneration(view.all())
    store.putUser({ key: 'mara', active: false, permissionSets: ['a'] })
    store.read((reader) => {
      expect(effectiveAccess(reader, 'mara', view).system.size).toBe(0)
      expect(() => effectiveAccess(reader, 'nobody', view)).toThrow(
        expect.objectContaining({ code: 'user.not_found' }),
      )
    })
  })
  it('explains every permission to authorised users', () => {
    const mara = accessFromSets('mara', ['values', 'desk'], base)
    const explained = explainAccess(mara, mara, 'config_entry/vat.de', base)
    expect(explained?.rights).toEqual([
      { right: 'see', held: true, through: ['permission_set/desk'], missing: [] },
      { right: 'read_values', held: true, through: ['permission_set/desk'], missing: [] },
      { right: 'edit', held: false, through: ['permission_set/values'], missing: ['edit:vat'] },
    ])
    expect(explainAccess(mara, mara, 'config_set/secret', base)).toBeNull()
    const other = accessFromSets('tom', [], base)
    expect(() => explainAccess(mara, other, 'config_set/vat', base)).toThrow(/access.manage/)
    const security = accessFromSets('sec', ['security'], base)
    expect(explainAccess(security, other, 'config_set/vat', base)?.rights[0]).toMatchObject({ held: false })
  })
})

describe('users and tokens', () => {
  function org(now = { at: '2026-03-01T10:00:00.000Z' }) {
    const store = new MemoryOrgStore()
    store.addGeneration(base.all())
    store.putUser({ key: 'admin', permissionSets: ['security'] })
    store.putUser({ key: 'shop_user' })
    let count = 0
    const random = { bytes: (size: number) => new Uint8Array(size).fill((count += 1)) }
    const clock = { now: () => now.at, today: () => now.at.slice(0, 10) }
    const ids = { uuid: () => `id-${(count += 1)}` }
    return {
      store,
      now,
      access: createAccess({ store, write: async (work) => store.write(work), clock, ids, random }),
    }
  }
  const by = { actor: 'admin', correlationId: 'c1' }

  it('adds a user, with an audit row that never shows the hash', async () => {
    const { store, access } = org()
    await access.addUser(by, {
      key: 'mara',
      name: 'Mara',
      permissionSets: ['tax'],
      password: 'correct horse battery',
    })
    expect(await access.verifyPassword('mara', 'correct horse battery')).toBe(true)
    expect(await access.verifyPassword('mara', 'correct horsf')).toBe(false)
    expect(await access.verifyPassword('nobody', 'correct horse battery')).toBe(false)
    expect(store.audit).toHaveLength(1)
    expect(store.audit[0]).toMatchObject({ component: 'user/mara', kind: 'user.added', actor: 'admin' })
    expect(JSON.stringify(store.audit)).not.toMatch(/scrypt|horse/)
    await access.changeUser(by, 'mara', { active: false })
    expect(await access.verifyPassword('mara', 'correct horse battery')).toBe(false)
  })
  it('refuses a duplicate user, an unknown permission set, a short password, and a caller without access.manage', async () => {
    const { access } = org()
    const code = (expected: string) => expect.objectContaining({ code: expected })
    await expect(access.addUser(by, { key: 'admin', name: 'x' })).rejects.toEqual(code('conflict.exists'))
    await expect(access.addUser(by, { key: 'tom', name: 'x', permissionSets: ['nil'] })).rejects.toEqual(
      code('request.invalid'),
    )
    await expect(access.addUser(by, { key: 'tom', name: 'x', password: 'short' })).rejects.toEqual(
      code('request.invalid'),
    )
    const other = { actor: 'shop_user', correlationId: 'c2' }
    await expect(access.addUser(other, { key: 'tom', name: 'x' })).rejects.toEqual(code('access.denied'))
    await expect(access.setPassword(other, 'admin', 'long enough to keep')).rejects.toEqual(
      code('access.denied'),
    )
    await access.setPassword(other, 'shop_user', 'long enough to keep')
    await access.addUser({ ...other, isOperator: true }, { key: 'tom', name: 'x' })
  })
  it('issues a token for an hour and stores only its hash', async () => {
    const { store, access, now } = org()
    const { token, expiresAt } = await access.issueToken(by, 'shop')
    expect(expiresAt).toBe('2026-03-01T11:00:00.000Z')
    expect(access.authenticateToken(token)).toEqual({
      ...{ client: 'shop', user: 'shop_user', operator: null },
      validUntil: Date.parse(expiresAt),
    })
    expect(JSON.stringify(store.audit)).not.toContain(token)
    expect(() => access.authenticateToken(`${token}x`)).toThrow(/unknown or has expired/)
    now.at = '2026-03-01T11:00:00.000Z'
    expect(() => access.authenticateToken(token)).toThrow(/unknown or has expired/)
  })
  it('does not restore the former tokens of a user who is reactivated', async () => {
    const { access } = org()
    const { token } = await access.issueToken(by, 'shop')
    const own = await access.issuePersonToken({ actor: 'shop_user', correlationId: 'c3' }, 'laptop')
    expect(access.findActiveSignIn('token', own.secret)?.user).toBe('shop_user')
    await access.changeUser(by, 'shop_user', { active: false })
    await access.changeUser(by, 'shop_user', { active: true })
    expect(access.findActiveSignIn('token', own.secret)).toBeNull()
    expect(() => access.authenticateToken(token)).toThrow(/unknown or has expired/)
  })
  it('revokes a token with its client, its user, or the user that the client runs as', async () => {
    const { store, access } = org()
    const { token } = await access.issueToken(by, 'shop')
    store.putUser({ key: 'shop_user', active: false })
    expect(() => access.authenticateToken(token)).toThrow(/unknown or has expired/)
    store.putUser({ key: 'shop_user' })
    expect(access.authenticateToken(token).client).toBe('shop')
    store.addGeneration([...base.all()].filter(({ key }) => key !== 'shop'))
    expect(() => access.authenticateToken(token)).toThrow(/unknown or has expired/)
    await expect(access.issueToken(by, 'shop')).rejects.toThrow(/integration client "shop" does not exist/)
  })
})
