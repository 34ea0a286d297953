// Secrets of external credentials over HTTP: written, staged, promoted and ended, and never returned.
import { readFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CredentialSecrets, VaultView } from '../../server/wire/credentials.ts'
import { apply, signIn } from '../support/billing-org.ts'
import { runningServer, type Ask, type TestServer } from '../support/running-server.ts'

const permissionSet = (key: string, permissions: string[]) => ({
  ...{ type: 'permission_set', key, label: key },
  body: { systemPermissions: permissions },
})
const credential = (key: string, body: object) => ({ type: 'external_credential', key, label: key, body })
const named = { key: 'service', mode: 'named', grantedTo: ['keeper'] }
const components = [
  permissionSet('keeper', ['integration.manage_credentials']),
  permissionSet('operator', ['operations.manage']),
  permissionSet('author', ['metadata.author', 'config.author', 'access.manage']),
  credential('bank', { scheme: 'basic', principals: [named] }),
  credential('each', {
    scheme: 'api_key',
    principals: [{ key: 'person', mode: 'per_user', grantedTo: ['keeper'] }],
  }),
]

const personApi = {
  ...{ type: 'named_credential', key: 'person_api', label: 'API' },
  body: { url: 'http://127.0.0.1:9', externalCredential: 'each', principal: 'person' },
}

let test: TestServer
let kim: Ask
let ann: Ask
let oli: Ask
beforeAll(async () => {
  test = await runningServer()
  await apply(test.studio, [...components, personApi])
  const asks = await signIn(test, [
    { key: 'kim', permissionSets: ['keeper'] },
    { key: 'ann', permissionSets: ['author'] },
    { key: 'oli', permissionSets: ['keeper', 'operator'] },
  ])
  kim = asks['kim']!
  ann = asks['ann']!
  oli = asks['oli']!
})
afterAll(() => test.close())

const at = (key: string, principal = 'service'): string =>
  `/setup/v3/credentials/${key}/principals/${principal}`
const pair = (password: string) => ({ values: { username: 'ada', password } })
const put = async (key: string, body: object, ask = kim): Promise<number> =>
  (await ask('PUT', `${at(key)}/next`, body)).status
const show = async (key: string): Promise<CredentialSecrets> =>
  (await kim<CredentialSecrets>('GET', `/setup/v3/credentials/${key}`)).body
const secretsOf = async (key: string) => (await show(key)).principals[0]!.secrets[0]
const audit = async (key: string): Promise<{ kind: string; actor: string; after: object | null }[]> =>
  (
    await test.studio<{ rows: { kind: string; actor: string; after: object | null }[] }>(
      'GET',
      `/metadata/v3/audit?component=credential/${key}`,
    )
  ).body.rows

describe('secrets', () => {
  it('fill the current ones first, are staged after that, and are promoted', async () => {
    expect(await secretsOf('bank')).toBeUndefined()
    expect(await put('bank', pair('first-mark'))).toBe(204)
    expect(await secretsOf('bank')).toMatchObject({
      current: { version: 1, by: 'kim', slots: ['username', 'password'] },
      ...{ next: null, prior: null, lastUsedAt: null, user: null },
    })
    expect(await put('bank', pair('second-mark'))).toBe(204)
    expect(await secretsOf('bank')).toMatchObject({ current: { version: 1 }, next: { version: 2 } })
    const promoted = await kim('POST', `${at('bank')}/promote`)
    expect(promoted.status).toBe(204)
    const { current, next, prior } = (await secretsOf('bank'))!
    expect([current!.version, next, prior!.version]).toEqual([2, null, 1])
    const hours = (Date.parse(prior!.until) - Date.now()) / 3_600_000
    expect(hours).toBeGreaterThan(23.9)
    expect(hours).toBeLessThanOrEqual(24)
    const again = await kim('POST', `${at('bank')}/promote`)
    expect([again.status, again.body['code']]).toEqual([409, 'secret.not_staged'])
  })

  it('leave facts in the audit, without a value', async () => {
    const rows = await audit('bank')
    expect(rows.map(({ kind, actor }) => `${kind} ${actor}`)).toEqual([
      'credential.secrets_promoted kim',
      'credential.secrets_staged kim',
      'credential.secrets_written kim',
    ])
    expect(rows[0]!.after).toMatchObject({ principal: 'service', current: 2, next: null, prior: 1 })
    expect(JSON.stringify(rows)).not.toContain('mark')
  })

  it('that are staged are replaced or discarded, and without a grace the prior ones end at once', async () => {
    await put('bank', pair('third-mark'))
    await put('bank', pair('fourth-mark'))
    expect(await secretsOf('bank')).toMatchObject({ next: { version: 4 } })
    expect((await kim('DELETE', `${at('bank')}/next`)).status).toBe(204)
    expect(await secretsOf('bank')).toMatchObject({ current: { version: 2 }, next: null })
    await put('bank', pair('fifth-mark'))
    expect((await kim('POST', `${at('bank')}/promote`, { graceHours: 0 })).status).toBe(204)
    expect(await secretsOf('bank')).toMatchObject({ current: { version: 5 }, next: null, prior: null })
  })

  it('of a principal of each user belong to that user', async () => {
    const body = { values: { key: 'mark-of-kim' }, user: 'kim' }
    expect((await kim('PUT', `${at('each', 'person')}/next`, body)).status).toBe(204)
    expect((await show('each')).principals[0]).toMatchObject({
      slots: [
        { name: 'key', required: true, canBeEmpty: false, perUser: true },
        { name: 'caChain', required: false, canBeEmpty: false, perUser: false },
      ],
      secrets: [{ user: 'kim', current: { version: 1 } }],
    })
    const [without, nobody] = [
      await kim('PUT', `${at('each', 'person')}/next`, { values: { key: 'x' } }),
      await kim('PUT', `${at('each', 'person')}/next`, { values: { key: 'x' }, user: 'nobody' }),
    ]
    expect([without.status, nobody.status]).toEqual([422, 404])
  })

  it.each([
    ['an unknown secret', { username: 'a', pasword: 'b' }, /"pasword" is not one of the secrets.*"password"/],
    ['a missing secret', { username: 'mark' }, /Missing: "password"/],
    ['an empty secret', { username: '', password: 'mark' }, /"username" is empty/],
    ['a secret that is too long', { username: 'mark', password: 'x'.repeat(70_000) }, /more than 64 KiB/],
  ])('refuse %s by name, never by value', async (_name, values, detail) => {
    const refused = await kim('PUT', `${at('bank')}/next`, { values })
    expect([refused.status, refused.body['code']]).toEqual([422, 'request.invalid'])
    expect(refused.body['detail']).toMatch(detail)
    expect(refused.text).not.toContain('mark')
    expect(await secretsOf('bank')).toMatchObject({ next: null })
  })

  it('that are not text are refused without their value', async () => {
    const refused = await kim('PUT', `${at('bank')}/next`, { values: { username: 'ada', password: 4711 } })
    expect([refused.status, refused.body['detail']]).toEqual([
      ...[400, '"values.password" is a number; write text.'],
    ])
  })

  it('are refused for a credential or principal that does not exist, or without the permission', async () => {
    const body = pair('mark')
    expect(
      (await kim('PUT', `/setup/v3/credentials/bnak/principals/service/next`, body)).body['detail'],
    ).toMatch(/"bnak" does not exist. Did you mean "bank"/)
    expect((await kim('PUT', `${at('bank', 'servise')}/next`, body)).body['detail']).toMatch(/"service"/)
    const requests = [
      ['PUT', `${at('bank')}/next`, body],
      ['DELETE', `${at('bank')}/next`, undefined],
      ['DELETE', at('bank'), undefined],
      ['POST', `${at('bank')}/promote`, {}],
      ['GET', '/setup/v3/credentials', undefined],
      ['GET', '/setup/v3/credentials/bank', undefined],
      ['GET', '/setup/v3/vault', undefined],
      ['POST', '/setup/v3/vault/renew', undefined],
    ] as const
    for (const [method, path, sent] of requests) {
      const refused = await ann(method, path, sent)
      expect([method, path, refused.status]).toEqual([method, path, 403])
    }
  })
})

describe('the vault', () => {
  it('shows what wraps its key, and renews it', async () => {
    const before = (await kim<VaultView>('GET', '/setup/v3/vault')).body
    expect(before).toMatchObject({ state: 'open', reason: null, keys: [{ service: 'file' }] })
    expect((await kim('POST', '/setup/v3/vault/renew')).status).toBe(204)
    const after = (await kim<VaultView>('GET', '/setup/v3/vault')).body
    expect(after.keys).toHaveLength(1)
    expect(after.keys[0]!.id).not.toBe(before.keys[0]!.id)
    expect(await secretsOf('bank')).toMatchObject({ current: { version: 5 } })
  })

  it('leaves no secret in any file of the org', () => {
    const files = readdirSync(test.dir, { recursive: true, withFileTypes: true })
      .filter((each) => each.isFile())
      .map((each) => join(each.parentPath, each.name))
    expect(files.some((path) => path.endsWith('vault.sqlite'))).toBe(true)
    for (const path of files) {
      const bytes = readFileSync(path)
      for (const mark of ['first-mark', 'second-mark', 'fifth-mark', 'mark-of-kim'])
        for (const form of ['utf8', 'base64', 'hex'] as const)
          expect([path, mark, form, bytes.includes(Buffer.from(mark).toString(form))]).toEqual([
            ...[path, mark, form],
            false,
          ])
    }
  })
})

describe('a deploy', () => {
  it('that renames the credential keeps its secrets, and the audit has its key then and now', async () => {
    const renamed = {
      ...credential('house_bank', { scheme: 'basic', principals: [named] }),
      renamedFrom: 'bank',
    }
    await apply(test.studio, [renamed])
    expect(await secretsOf('house_bank')).toMatchObject({ current: { version: 5 } })
    expect(await put('house_bank', pair('sixth-mark'))).toBe(204)
    expect((await audit('house_bank'))[0]).toMatchObject({ kind: 'credential.secrets_staged' })
  })

  it('that removes a principal or the credential ends its secrets, even if the key is used again', async () => {
    const principals = [{ ...named, key: 'other' }]
    await apply(test.studio, [credential('house_bank', { scheme: 'basic', principals })])
    const ended = () => audit('house_bank')
    await expect.poll(async () => (await ended())[0]?.kind).toBe('credential.secrets_ended')
    await apply(test.studio, [credential('house_bank', { scheme: 'basic', principals: [named] })])
    expect(await secretsOf('house_bank')).toBeUndefined()
    await put('house_bank', pair('seventh-mark'))
    const removed = await test.studio('POST', '/metadata/v3/apply', {
      ...{ components: [], rationale: 'test' },
      removals: ['external_credential/house_bank'],
    })
    expect(removed.text).toContain('generation')
    await expect
      .poll(async () => (await ended()).filter(({ kind }) => kind.endsWith('_ended')).length)
      .toBe(2)
    await apply(test.studio, [credential('house_bank', { scheme: 'basic', principals: [named] })])
    expect(await secretsOf('house_bank')).toBeUndefined()
  })
})

describe('a key that does not open the vault', () => {
  it('is named in its state and in refusals, and is not made again', async () => {
    rmSync(join(test.dir, 'vault.key'))
    await test.beside(async ({ credentials }) => {
      const by = { actor: 'admin', correlationId: 'c' }
      const vault = await credentials.vault(by)
      expect(vault).toMatchObject({ state: 'locked', reason: expect.stringContaining(vault.keys[0]!.id) })
      const place = { credential: 'each', principal: 'person', user: 'kim' }
      await expect(credentials.stage(by, place, { key: 'mark' })).rejects.toMatchObject({ code: 'vault.key' })
      expect(await credentials.get(by, 'each')).toMatchObject({ credential: 'each' })
    })
    expect(() => statSync(join(test.dir, 'vault.key'))).toThrow()
  })
})

it('an empty password is a value, because some systems want a key as the user name alone', async () => {
  await apply(test.studio, [credential('keyed', { scheme: 'basic', principals: [named] })])
  expect(await put('keyed', { values: { username: 'ada' } })).toBe(422)
  expect(await put('keyed', pair(''))).toBe(204)
})

it('a user without secrets of their own is named, even if others have some', async () => {
  const written = { values: { key: 'person-mark' }, user: 'ann' }
  expect((await kim('PUT', `${at('each', 'person')}/next`, written)).status).toBe(204)
  const { body } = await oli<{ problem: object }>('POST', '/setup/v3/named-credentials/person_api/test', {})
  expect(body.problem).toMatchObject({
    code: 'integration.consent_required',
    detail: expect.stringContaining('The user oli has no secrets') as string,
  })
})
