// An object can have a field named id: a filter by it contains its values, and is hidden from users who cannot read the field.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { apply, signIn } from '../support/billing-org.ts'
import { runningServer, type Ask, type TestServer } from '../support/running-server.ts'

const text = (key: string, ...aliases: string[]) => ({ key, type: 'text', aliases })
const note = (...fields: object[]) => ({ type: 'object', key: 'note', label: 'Note', body: { fields } })
const set = (key: string, fields: object) => ({
  ...{ type: 'permission_set', key, label: key },
  body: {
    systemPermissions: ['operations.manage'],
    objects: { note: { create: true, read: true, update: true, viewAll: true, modifyAll: true } },
    fields: { 'note.text': { read: true, edit: true }, ...fields },
  },
})
const list = {
  ...{ type: 'list_view', key: 'secret', label: 'Secret' },
  body: { object: 'note', columns: ['text'], filter: 'id == "S-1"' },
}

let test: TestServer
let ada: Ask
/** Cannot read the field. */
let dan: Ask
beforeAll(async () => {
  test = await runningServer()
  const all = set('all', { 'note.id': { read: true, edit: true } })
  await apply(test.studio, [note(text('id'), text('text')), list, all, set('few', {})])
  ;({ ada, dan } = (await signIn(test, [
    { key: 'ada', permissionSets: ['all'] },
    { key: 'dan', permissionSets: ['few'] },
  ])) as { ada: Ask; dan: Ask })
  const made = await ada('POST', '/data/v3/note', { id: 'S-1', text: 'first' })
  const job = await ada('POST', '/setup/v3/jobs', {
    kind: 'recompute',
    object: 'note',
    filter: 'id == "S-1"',
  })
  expect([made.status, job.status], made.text + job.text).toEqual([201, 202])
})
afterAll(() => test.close())

const seen = async (ask: Ask): Promise<string> =>
  (await ask('GET', '/data/v3/note/describe')).text + (await ask('GET', '/setup/v3/jobs')).text

it.each([
  ['by its key', []],
  ['by an alias', [note(text('ident', 'id'), text('text'))]],
])('%s', async (_title, change) => {
  if (change.length > 0) await apply(test.studio, change)
  expect((await seen(ada)).split('S-1')).toHaveLength(3)
  expect((await seen(dan)).split('S-1')).toHaveLength(1)
})
