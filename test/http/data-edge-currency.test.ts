// The caches of the data API: what another process writes is seen by the next request.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ComponentId } from '#kernel/components/component.ts'
import type { CommandItem } from '../../server/records/index.ts'
import { apply } from '../support/billing-org.ts'
import { runningServer, type Answer, type Ask, type TestServer } from '../support/running-server.ts'

const by = { actor: 'admin', correlationId: 'c', isOperator: true }

const note = (...names: string[]): object => ({
  ...{ type: 'object', key: 'note', label: 'Note' },
  body: {
    ...{ storage: 'local', nameField: 'title', sharing: { default: 'read', rules: [] } },
    fields: names.map((key) => ({ key, type: 'text' })),
  },
})
const readers = (...names: string[]): object => ({
  ...{ type: 'permission_set', key: 'readers', label: 'Readers' },
  body: {
    objects: { note: { create: true, read: true, update: true, delete: true, modifyAll: true } },
    fields: Object.fromEntries(names.map((name) => [`note.${name}`, { edit: true }])),
  },
})
const client = {
  ...{ type: 'integration_client', key: 'ada', label: 'Ada' },
  body: { authScheme: 'oauth2_client_credentials', runAs: 'ada' },
}

let test: TestServer
let ada: Ask
let id = ''
beforeAll(async () => {
  test = await runningServer()
  await apply(test.studio, [note('title', 'text'), readers('title', 'text')])
  await test.studio('POST', '/setup/v3/users', { key: 'ada', name: 'Ada', permissionSets: ['readers'] })
  await apply(test.studio, [client])
  ada = await askOf('ada')
  id = (await ada<{ id: string }>('POST', '/data/v3/note', { title: 'One', text: 'a' })).body.id
})
afterAll(() => test.close())

async function askOf(key: string): Promise<Ask> {
  return test.bearer((await test.beside(({ access }) => access.issueToken(by, key))).token)
}

const read = (ask = ada): Promise<Answer<{ fields: object; version: number }>> =>
  ask('GET', `/data/v3/note/${id}`)

/** Saves as a different process. */
const saveBeside = (item: Partial<CommandItem>): Promise<unknown> =>
  test.beside(({ org, records }) =>
    records.save({
      ...{ client: null, generation: org.activeGeneration(), user: 'ada', correlationId: 'c', scopePath: {} },
      ...{ items: [{ object: 'note', fields: {}, ...item } as CommandItem], allOrNone: true, reply: 'ids' },
    }),
  )

const applyBeside = (components: readonly object[], removals: readonly string[] = []): Promise<unknown> =>
  test.beside(({ org }) =>
    org.apply({
      source: { kind: 'components', components, removals: removals as readonly ComponentId[] },
      ...{ actor: 'admin', rationale: 'test' },
    }),
  )

describe('a read of a record', () => {
  it('returns what another process has saved, without a field that was hidden since', async () => {
    for (let turn = 0; turn < 3; turn += 1)
      expect((await read()).body).toMatchObject({ version: 1, fields: { title: 'One', text: 'a' } })
    await saveBeside({ op: 'update', id, version: 1, fields: { text: 'b' } })
    expect((await read()).body).toMatchObject({ version: 2, fields: { text: 'b' } })
    await ada('PATCH', `/data/v3/note/${id}`, { text: 'c' }, { 'if-match': '"2"' })
    expect((await read()).body).toMatchObject({ version: 3, fields: { text: 'c' } })
    await applyBeside([readers('title')])
    expect((await read()).body.fields).toEqual({ title: 'One', text: null })
    await applyBeside([note('title', 'text', 'more'), readers('title', 'more')])
    await saveBeside({ op: 'update', id, version: 3, fields: { more: 'd' } })
    expect((await read()).body.fields).toEqual({ title: 'One', text: null, more: 'd' })
  })

  it('ends with the rights of its caller', async () => {
    expect((await read()).status).toBe(200)
    await test.beside(({ access }) => access.changeUser(by, 'ada', { permissionSets: [] }))
    expect((await read()).status).toBe(404)
    await test.beside(({ access }) => access.changeUser(by, 'ada', { permissionSets: ['readers'] }))
    expect((await read()).status).toBe(200)
    await test.beside(({ access }) => access.changeUser(by, 'ada', { active: false }))
    expect((await read()).status).toBe(401)
    await test.beside(({ access }) => access.changeUser(by, 'ada', { active: true }))
  })

  it('ends with the token and with the client of its caller', async () => {
    const issued = await test.beside(({ clientSecrets }) => clientSecrets.issueSecret(by, 'ada'))
    ada = await askOf('ada')
    expect((await read()).status).toBe(200)
    await test.beside(({ clientSecrets }) => clientSecrets.revokeSecret(by, 'ada', issued.id))
    expect((await read()).status).toBe(401)
    ada = await askOf('ada')
    expect((await read()).status).toBe(200)
    await applyBeside([], ['integration_client/ada'])
    expect((await read()).status).toBe(401)
  })

  it('returns nothing of a record that another process has deleted', async () => {
    await apply(test.studio, [client])
    ada = await askOf('ada')
    expect((await read()).status).toBe(200)
    await saveBeside({ op: 'delete', id })
    expect((await read()).status).toBe(404)
  })
})
