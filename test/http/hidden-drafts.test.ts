// A draft of a hidden component does not affect a user who cannot see it, and is not revealed to them
// (docs/reference/access.md).
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { runningServer, type Ask, type TestServer } from '../support/running-server.ts'
import { sealed, sealedEntry } from '../support/small-org.ts'

const by = { actor: 'admin', correlationId: 't', isOperator: true as const }
const sealedFor = (...keys: string[]) => ({
  ...sealed,
  body: { ...sealed.body, edit: Object.fromEntries(keys.map((key) => [key, 'edit'])) },
})
const open = { ...sealedFor('administrator', 'authors'), key: 'open' }
const newSet = { ...sealedFor('administrator'), key: 'unseen' }
const newEntry = {
  ...sealedEntry,
  key: 'unseen.all',
  body: { ...sealedEntry.body, set: 'unseen' },
}
const openEntry = { ...newEntry, key: 'open.all', body: { ...newEntry.body, set: 'open' } }

let test: TestServer
/** Without any permission; with config.author on another set. */
const ask = {} as Record<'nob' | 'red', Ask>

beforeAll(async () => {
  test = await runningServer()
  const apply = async (components: unknown[]) =>
    expect((await test.studio('POST', '/metadata/v3/apply', { components })).status).toBe(200)
  await apply([
    { type: 'permission_set', key: 'authors', label: 'A', body: { systemPermissions: ['config.author'] } },
  ])
  await test.beside(async ({ access }) => {
    await access.addUser(by, { key: 'nob', name: 'Nob' })
    await access.addUser(by, { key: 'red', name: 'Red', permissionSets: ['authors'] })
  })
  const client = (key: string) => ({
    type: 'integration_client',
    key,
    label: key,
    body: { authScheme: 'oauth2_client_credentials', runAs: key },
  })
  await apply([client('nob'), client('red'), sealedFor('administrator'), sealedEntry, open, openEntry])
  for (const key of ['nob', 'red'] as const)
    ask[key] = test.bearer((await test.beside(({ access }) => access.issueToken(by, key))).token)
})
afterAll(() => test.close())
afterEach(async () => {
  const { drafts } = (await test.studio<{ drafts: { id: string }[] }>('GET', '/setup/v3/drafts')).body
  for (const { id } of drafts) await test.studio('DELETE', `/setup/v3/drafts/${id}`)
})

const drafted = async (
  { type, key, ...rest }: { type: string; key: string },
  version: number,
  words = 'hum',
) => {
  const text = JSON.stringify({ type, key, ...rest }).replace('hush', words)
  const { status } = await test.studio('PUT', `/setup/v3/drafts/${type}/${key}`, { text, version })
  expect(status).toBe(200)
}

describe.each(['nob', 'red'] as const)('%s', (who) => {
  it.each([
    ['a valid', sealedEntry, 'hum'],
    ['a broken', sealedEntry, '","wrong":"'],
    ['a new set’s', newEntry, 'hum'],
  ])('reads problems and lists next to %s draft of a hidden set', async (_, entry, words) => {
    const owner = entry.body.set
    await drafted(entry, 0, words)
    if (owner === 'unseen') await drafted(newSet, 0)
    for (const path of ['/setup/v3/problems', '/metadata/v3/components', '/metadata/v3/components/counts']) {
      const { status, text } = await ask[who]('GET', path)
      expect([path, status]).toEqual([path, 200])
      expect(text).not.toContain(owner)
    }
    const plan = await ask[who]('POST', '/metadata/v3/plan', { drafts: true })
    expect(plan.text).not.toContain(owner)
  })
})

it('findings in drafts that a user sees are shown next to one that is hidden from them', async () => {
  await drafted(sealedEntry, 0)
  await drafted(openEntry, 0, '","wrong":"')
  const { body } = await ask.red<{ findings: { code: string; component: string }[] }>(
    'GET',
    '/setup/v3/problems',
  )
  expect(body.findings.map(({ component }) => component)).toEqual(['config_entry/open.all'])
})
