// A reference that the caller cannot read is refused like a field that does not exist, in each form that it can be sent in.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { apply, signIn } from '../support/billing-org.ts'
import { runningServer, type Ask, type TestServer } from '../support/running-server.ts'

const object = (key: string, ...fields: object[]) => ({ type: 'object', key, label: key, body: { fields } })
const components = [
  object('vault', { key: 'code', type: 'text', unique: true }),
  object(
    'note',
    { key: 'title', type: 'text' },
    { key: 'hidden', type: 'reference', references: 'vault', aliases: ['former'] },
  ),
  {
    ...{ type: 'permission_set', key: 'writer', label: 'Writer' },
    body: {
      objects: { note: { create: true, read: true, update: true, viewAll: true, modifyAll: true } },
      fields: { 'note.title': { edit: true } },
    },
  },
]

let test: TestServer
let wim: Ask
beforeAll(async () => {
  test = await runningServer()
  await apply(test.studio, components)
  ;({ wim } = (await signIn(test, [{ key: 'wim', permissionSets: ['writer'] }])) as { wim: Ask })
})
afterAll(() => test.close())

const sent = [{ code: 'x' }, { other: 'x' }, { item: 3 }, { a: 1, b: 2 }, [], 'x', null]

it.each(sent.map((value) => [value]))('%j', async (value) => {
  const { body: note } = await wim<{ id: string }>('POST', '/data/v3/note', { title: 'Open' })
  for (const name of ['hidden', 'former']) {
    const errorsOf = async (field: string): Promise<unknown[]> => {
      const fields = { [field]: value }
      const inserted = await wim('POST', '/data/v3/note', fields)
      const updated = await wim('PATCH', `/data/v3/note/${note.id}`, fields, { 'if-match': '*' })
      const records = [{ op: 'insert', fields }]
      const batch = await wim<{ results: unknown[] }>('POST', '/data/v3/note/batch', { records })
      return [inserted.body, updated.body, batch.body.results[0]].map((each) =>
        JSON.stringify(each)
          .replaceAll(field, 'NAME')
          .replaceAll(/"correlationId":"[^"]*"/g, ''),
      )
    }
    expect(await errorsOf(name)).toEqual(await errorsOf('absent'))
  }
})
