// A draft of a component that the caller cannot see can be neither read nor changed, and no response reveals whether it
// exists.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { runningServer, type Ask, type TestServer } from '../support/running-server.ts'
import { sealed, sealedEntry } from '../support/small-org.ts'

const by = { actor: 'admin', correlationId: 't', isOperator: true as const }
const set = (read: string) => ({
  ...sealed,
  body: { ...sealed.body, edit: { administrator: 'edit', [read]: 'edit' } },
})
const entryId = 'config_entry/sealed.all'
const words = 'only-in-the-draft'
const draftText = JSON.stringify(sealedEntry).replace('hush', words)

let test: TestServer
/** Holds config.author and no grant on the set; metadata.author also sees the definition of the set. */
const ask = {} as Record<'author' | 'shaper', Ask>

beforeAll(async () => {
  test = await runningServer()
  await apply([
    rights('authors', 'config.author'),
    rights('shapers', 'metadata.author', 'config.author'),
    rights('readers', 'config.author'),
  ])
  await test.beside(async ({ access }) => {
    await access.addUser(by, { key: 'author', name: 'Author', permissionSets: ['authors'] })
    await access.addUser(by, { key: 'shaper', name: 'Shaper', permissionSets: ['shapers'] })
  })
  const client = (key: string) => ({
    type: 'integration_client',
    key,
    label: key,
    body: { authScheme: 'oauth2_client_credentials', runAs: key },
  })
  await apply([client('author'), client('shaper'), set('readers'), sealedEntry])
  for (const key of ['author', 'shaper'] as const)
    ask[key] = test.bearer((await test.beside(({ access }) => access.issueToken(by, key))).token)
})
afterAll(() => test.close())

beforeEach(async () => {
  const { drafts } = (await test.studio<{ drafts: { id: string }[] }>('GET', '/setup/v3/drafts')).body
  for (const { id } of drafts) await test.studio('DELETE', `/setup/v3/drafts/${id}`)
  expect((await save(test.studio, entryId, draftText)).status).toBe(200)
})

async function apply(components: unknown[]): Promise<void> {
  const answer = await test.studio('POST', '/metadata/v3/apply', { components })
  expect([answer.status, answer.text]).toEqual([200, answer.text])
}

const rights = (key: string, ...systemPermissions: string[]) => ({
  type: 'permission_set',
  key,
  label: key,
  body: { systemPermissions },
})

function save(as: Ask, id: string, text: string | null, version = 0) {
  return as('PUT', `/setup/v3/drafts/${id}`, { text, version })
}

async function theDraft(): Promise<{ text: string; author: string; changedBy: string; version: number }> {
  const { body } = await test.studio<{ draft: never }>('GET', `/metadata/v3/components/${entryId}`)
  return body.draft
}

describe.each(['author', 'shaper'] as const)('a draft of a hidden entry, for %s', (who) => {
  const absent = 'config_entry/sealed.none'
  const put = (id: string, draft: object) =>
    ask[who]('PUT', '/setup/v3/drafts', { drafts: [{ id, ...draft }] })
  const edits = [{ path: ['label'], value: 'mine' }]

  it.each([
    ['edits of the draft', (id: string) => put(id, { version: 1, edits })],
    ['edits as if the draft did not exist', (id: string) => put(id, { version: 0, edits })],
    ['text over the draft', (id: string) => put(id, { version: 1, text: '{}' })],
    ['text as if the draft did not exist', (id: string) => put(id, { version: 0, text: '{}' })],
    ['a removal', (id: string) => put(id, { version: 1, text: null })],
    ['a discarded draft', (id: string) => put(id, { version: 1, drop: true })],
    ['a single save', (id: string) => save(ask[who], id, '{}', 1)],
    ['a single save as the first', (id: string) => save(ask[who], id, draftText)],
    ['a guess at the active value', (id: string) => save(ask[who], id, JSON.stringify(sealedEntry))],
    ['a discard of all', (id: string) => ask[who]('DELETE', `/setup/v3/drafts/${id}`)],
    ['a rename', (id: string) => ask[who]('POST', '/metadata/v3/rename', { ...parts(id), to: 'sealed.b' })],
    ['a plan by name', (id: string) => ask[who]('POST', '/metadata/v3/plan', { drafts: [id] })],
    ['an apply by name', (id: string) => ask[who]('POST', '/metadata/v3/apply', { drafts: [id] })],
    ['a read', (id: string) => ask[who]('GET', `/metadata/v3/components/${id}`)],
  ])('%s is answered as if the draft did not exist', async (_, act) => {
    const before = await theDraft()
    const [hiddenDraft, missingDraft] = [await act(entryId), await act(absent)]
    expect(hiddenDraft.status).toBeGreaterThanOrEqual(400)
    const shape = ({ status, body }: typeof hiddenDraft, id: string) => {
      const { correlationId: _id, ...rest } = body
      return JSON.stringify([status, rest]).replaceAll(id.split('/')[1]!, 'KEY')
    }
    expect(shape(hiddenDraft, entryId)).toBe(shape(missingDraft, absent))
    expect(hiddenDraft.text).not.toMatch(/only-in-the-draft|jcs1:|admin/)
    expect(await theDraft()).toEqual(before)
  })

  it('no list names or counts it', async () => {
    for (const path of [
      '/setup/v3/drafts',
      '/setup/v3/draft-names',
      '/setup/v3/problems',
      '/setup/v3/search?q=only-in-the-draft',
      '/metadata/v3/components?q=sealed.all',
      '/metadata/v3/components/config_set/sealed/entry-drafts',
    ])
      expect((await ask[who]('GET', path)).text, path).not.toMatch(/sealed\.all|only-in-the-draft/)
    expect((await ask[who]('GET', '/setup/v3/org')).body).toMatchObject({ drafts: 0 })
  })
})

it('a draft keeps its first author and names the user who changed it last', async () => {
  const text = JSON.stringify({ type: 'value_set', key: 'sizes', label: 'Sizes', body: { values: [] } })
  expect((await save(ask.shaper, 'value_set/sizes', text)).body).toMatchObject({ author: 'shaper' })
  const changed = await save(test.studio, 'value_set/sizes', text.replace('Sizes', 'Lengths'), 1)
  expect(changed.body).toMatchObject({ author: 'shaper', changedBy: 'admin', version: 2 })
})

it('a user who can no longer see a set keeps and discards an own draft, without the digest of the active entry', async () => {
  await test.beside(({ access }) =>
    access.addUser(by, { key: 'reader', name: 'R', permissionSets: ['readers'] }),
  )
  const client = { authScheme: 'oauth2_client_credentials', runAs: 'reader' }
  await apply([{ type: 'integration_client', key: 'reader', label: 'R', body: client }])
  const reader = test.bearer((await test.beside(({ access }) => access.issueToken(by, 'reader'))).token)
  await test.studio('DELETE', `/setup/v3/drafts/${entryId}`)
  expect((await save(reader, entryId, draftText)).body).toMatchObject({
    baseDigest: expect.stringContaining('jcs1:') as string,
  })
  await apply([set('administrator')])
  const { text } = await reader('GET', '/setup/v3/drafts')
  expect(text).toContain(words)
  expect(text).not.toContain('jcs1:')
  // Once a user with more permissions has changed the draft, it may contain what its author must not see.
  await save(test.studio, entryId, draftText.replace(words, 'by-admin'), 1)
  expect((await reader('GET', '/setup/v3/drafts')).body).toEqual({ drafts: [] })
})

function parts(id: string): { type: string; from: string } {
  const [type, from] = id.split('/') as [string, string]
  return { type, from }
}
