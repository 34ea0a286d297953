// Flags for clients of OpenFeature: the protocol (OFREP), and its official client against this server.
import { OFREPProvider } from '@openfeature/ofrep-provider'
import { OpenFeature } from '@openfeature/server-sdk'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apply, signIn } from '../support/billing-org.ts'
import { runningServer, type Ask, type TestServer } from '../support/running-server.ts'

const grants = { read: { reader: 'read' }, edit: { administrator: 'edit' } }
const flag = (key: string, more: object = {}): object => ({
  ...{ type: 'feature_flag', key, label: key },
  body: {
    ...{ owner: { user: 'admin' }, expiresOn: '2099-01-01', rationale: 'Trying it.' },
    ...{ scopes: ['user', 'app', 'locale', 'org'], default: false, ...grants, ...more },
  },
})
const entry = (key: string, set: string, scope: object, value: boolean): object => ({
  ...{ type: 'config_entry', key: `${set}.${key}`, label: key, body: { set, scope, values: { value } } },
})

let test: TestServer
let ada: Ask
let bo: Ask
beforeAll(async () => {
  test = await runningServer()
  await apply(test.studio, [
    { type: 'permission_set', key: 'reader', label: 'Reader', body: {} },
    { type: 'app', key: 'shop', label: 'Shop', body: { objects: [], pages: [], flows: [] } },
    ...[flag('plain'), flag('everyone', { default: true }), flag('shop_only'), flag('by_locale')],
    flag('hidden', { read: { administrator: 'read' } }),
    entry('shop', 'shop_only', { kind: 'app', app: 'shop' }, true),
    entry('german', 'by_locale', { kind: 'locale', locale: 'de' }, true),
  ])
  const users = [
    { key: 'ada', permissionSets: ['reader'] },
    { key: 'bo', permissionSets: [] },
  ]
  ;({ ada, bo } = (await signIn(test, users)) as { ada: Ask; bo: Ask })
  await apply(test.studio, [entry('ada', 'plain', { kind: 'user', user: 'ada' }, true)])
})
afterAll(() => test.close())

const evaluate = (key: string, context: object = {}, ask = ada) =>
  ask('POST', `/ofrep/v1/evaluate/flags/${key}`, { context })

describe('one flag', () => {
  it('is evaluated with its reason, variant and generation', async () => {
    const { status, body } = await evaluate('everyone')
    expect([status, body]).toEqual([
      200,
      {
        ...{ key: 'everyone', value: true, variant: 'on', reason: 'DEFAULT' },
        metadata: { generation: expect.any(Number) as number, scope: 'org', expiresOn: '2099-01-01' },
      },
    ])
    expect((await evaluate('shop_only')).body).toMatchObject({
      value: false,
      variant: 'off',
      reason: 'DEFAULT',
    })
    expect((await evaluate('plain')).body).toMatchObject({ value: true, reason: 'TARGETING_MATCH' })
  })

  it('depends on the app and the locale of the context', async () => {
    expect((await evaluate('shop_only', { app: 'shop' })).body).toMatchObject({ value: true })
    expect((await evaluate('by_locale', { locale: 'de-AT' })).body).toMatchObject({ value: true })
    expect((await evaluate('by_locale', { locale: 'fr' })).body).toMatchObject({ value: false })
  })

  it('is evaluated for the caller, not for the user that the context names', async () => {
    const context = { targetingKey: 'bo', user: 'bo', permission_set: ['administrator'] }
    expect((await evaluate('plain', context)).body).toMatchObject({ value: true })
    expect((await evaluate('hidden', context)).status).toBe(404)
  })

  it('is refused in the format of the protocol', async () => {
    const errorOf = async (...args: Parameters<typeof evaluate>): Promise<unknown[]> => {
      const { status, body } = await evaluate(...args)
      return [status, body['key'], body['errorCode']]
    }
    expect(await errorOf('unknown')).toEqual([404, 'unknown', 'FLAG_NOT_FOUND'])
    expect(await errorOf('hidden')).toEqual([404, 'hidden', 'FLAG_NOT_FOUND'])
    expect(await errorOf('plain', {}, bo)).toEqual([404, 'plain', 'FLAG_NOT_FOUND'])
    expect(await errorOf('shop_only', { app: 'shopp' })).toEqual([400, undefined, 'INVALID_CONTEXT'])
    expect(await errorOf('shop_only', { locale: 'xx_bad' })).toEqual([400, undefined, 'INVALID_CONTEXT'])
    const wrong = await ada('POST', '/ofrep/v1/evaluate/flags/plain', { context: 1 })
    expect([wrong.status, wrong.body['errorCode']]).toEqual([400, 'PARSE_ERROR'])
    const anonymous = await test.plain('POST', '/ofrep/v1/evaluate/flags/plain', { context: {} })
    expect([anonymous.status, anonymous.headers.get('www-authenticate')]).toEqual([
      401,
      'Bearer realm="almanac"',
    ])
  })
})

describe('all flags', () => {
  it('are those that the caller can read, with an ETag for the next request', async () => {
    const path = '/ofrep/v1/evaluate/flags'
    const first = await ada<{ flags: { key: string; value: boolean }[] }>('POST', path, { context: {} })
    expect(first.body.flags.map(({ key, value }) => [key, value])).toEqual([
      ['by_locale', false],
      ['everyone', true],
      ['plain', true],
      ['shop_only', false],
    ])
    const sent = { 'if-none-match': first.headers.get('etag')! }
    expect((await ada('POST', path, { context: {} }, sent)).status).toBe(304)
    expect((await ada('POST', path, { context: { app: 'shop' } }, sent)).status).toBe(200)
    expect((await bo<{ flags: unknown[] }>('POST', path, { context: {} })).body.flags).toEqual([])
  })
})

it('the client of OpenFeature evaluates flags of this server', async () => {
  const { token } = await test.beside(({ access }) =>
    access.issueToken({ actor: 'admin', correlationId: 'c', isOperator: true } as never, 'ada'),
  )
  const provider = new OFREPProvider({ baseUrl: test.url, headers: [['Authorization', `Bearer ${token}`]] })
  await OpenFeature.setProviderAndWait(provider)
  const client = OpenFeature.getClient()
  expect(await client.getBooleanDetails('everyone', false)).toMatchObject({ value: true, reason: 'DEFAULT' })
  expect(await client.getBooleanValue('shop_only', false, { app: 'shop' })).toBe(true)
  expect(await client.getBooleanDetails('unknown', true)).toMatchObject({
    value: true,
    errorCode: 'FLAG_NOT_FOUND',
  })
  await OpenFeature.close()
})
