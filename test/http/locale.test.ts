// A locale of a request in any case; a value that is not a language tag is refused.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runningServer, type TestServer } from '../support/running-server.ts'

let test: TestServer
const greeting = (slug: string, scope: object, words: string) => ({
  type: 'config_entry',
  key: `greeting.${slug}`,
  label: slug,
  body: { set: 'greeting', scope, values: { words } },
})

beforeAll(async () => {
  test = await runningServer()
  const set = {
    type: 'config_set',
    key: 'greeting',
    label: 'Greeting',
    body: {
      cardinality: 'singleton',
      scopes: ['locale', 'org'],
      fields: [{ key: 'words', type: 'text' }],
      read: { administrator: 'read' },
      edit: { administrator: 'edit' },
    },
  }
  const components = [
    set,
    greeting('org', { kind: 'org' }, 'Hello'),
    greeting('at', { kind: 'locale', locale: 'de-AT' }, 'Servus'),
  ]
  expect((await test.studio('POST', '/metadata/v3/apply', { components })).status).toBe(200)
})
afterAll(() => test.close())

const ask = (body: object, headers: Record<string, string> = {}) =>
  test.studio('POST', '/setup/v3/resolve', { set: 'greeting', ...body }, headers)

const words = async (...args: Parameters<typeof ask>) => (await ask(...args)).body['values'] as object

it('a locale matches in any case, from the body and from Accept-Language', async () => {
  expect(await words({ scope: { locale: 'DE-at' } })).toEqual({ words: 'Servus' })
  expect(await words({}, { 'accept-language': 'de-at,en;q=0.5' })).toEqual({ words: 'Servus' })
  expect(await words({}, { 'accept-language': '*' })).toEqual({ words: 'Hello' })
  const evaluated = await test.studio('POST', '/setup/v3/evaluate', {
    expression: 'config.greeting.words',
    scope: { locale: 'DE-AT' },
  })
  expect(evaluated.body).toMatchObject({ value: '"Servus"', binding: { scopePath: { locale: 'de-AT' } } })
})

it.each(['xx_bad', '*', 'deutsch', ''])('the locale %j is refused', async (locale) => {
  const { status, body } = await ask({ scope: { locale } })
  expect([status, body['code']]).toEqual([400, 'request.malformed'])
  expect(JSON.stringify(body['details'])).toContain('is not a language tag')
})

it.each([
  ['en_US', 'Hello'],
  ['i-klingon', 'Hello'],
  ['de_DE, de-AT;q=0.5', 'Servus'],
  ['i-klingon, *;q=0.1', 'Hello'],
])('unknown parts of Accept-Language are ignored: %s', async (header, expected) => {
  expect(await words({}, { 'accept-language': header })).toEqual({ words: expected })
})

it('a user has a locale in canonical case', async () => {
  const operator = { actor: 'admin', correlationId: 'locale', isOperator: true as const }
  await test.beside(async ({ access }) => {
    expect(await access.addUser(operator, { key: 'a', name: 'A', locale: 'DE-at' })).toMatchObject({
      locale: 'de-AT',
    })
    expect(await access.changeUser(operator, 'a', { locale: 'FR' })).toMatchObject({ locale: 'fr' })
    await expect(access.addUser(operator, { key: 'b', name: 'B', locale: 'x_y' })).rejects.toMatchObject({
      code: 'request.invalid',
    })
  })
})
