// Stored values that were computed for an app keep it in a rebind of the command line, and its impact counts them.
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { appScopeComponents, deskRate } from '../support/app-scope.ts'
import { almanac, scratch, serving, writeComponents } from './almanac.ts'

interface Impact {
  records: { fields: { field: string; changed: number; items: { now: string; after: string }[] }[] }
}

const dir = scratch()
const org = join(dir, 'org')
const apply = (name: string, components: readonly object[]): void =>
  expect(almanac(['apply', writeComponents(join(dir, name), components as never), '--org', org]).code).toBe(0)

it('keeps the app of a value in a rebind, and counts it in the impact on the entry of the app', async () => {
  expect(almanac(['init', org]).code).toBe(0)
  const client = {
    ...{ type: 'integration_client', key: 'seller', label: 'Seller' },
    body: { authScheme: 'api_key', runAs: 'ann' },
  }
  apply('components', appScopeComponents())
  const sets = ['clerk', 'administrator'].flatMap((key) => ['--permission-set', key])
  expect(almanac(['user', 'add', 'ann', ...sets, '--org', org]).code).toBe(0)
  apply('client', [client])
  const token = almanac(['token', '--client', 'seller', '--org', org]).out.trim()
  const server = await serving(['serve', '--org', org, '--port', '0'])
  const url = server.line['listening']!
  const response = await fetch(`${url}/data/v3/offer`, {
    method: 'POST',
    headers: { 'x-app': 'desk', 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ name: 'Desk' }),
  })
  expect(response.status).toBe(201)
  const { id } = (await response.json()) as { id: string }
  const price = (): string =>
    almanac(['records', 'get', 'offer', id, '--fields', 'price', '--org', org, '--as', 'ann']).out
  expect(price()).toContain('20.00')

  const list = writeComponents(join(dir, 'list'), deskRate('4') as never)
  const impactAt = (...where: string[]): Impact['records']['fields'] =>
    (almanac(['impact', list, '--json', ...where]).json() as unknown as Impact).records.fields
  const changed = { field: 'price', changed: 1, items: [{ now: '20.00', after: '40.00' }] }
  expect(impactAt('--org', org, '--as', 'ann')).toMatchObject([changed])
  expect(impactAt('--org', url, '--token', token)).toMatchObject([changed])
  await server.stop()

  apply('unrelated', [{ type: 'value_set', key: 'unrelated', label: 'Unrelated', body: { values: [] } }])
  expect(almanac(['rebind', '--object', 'offer', '--org', org, '--as', 'ann']).code).toBe(0)
  expect(price()).toContain('20.00')
})
