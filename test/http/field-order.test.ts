// A new order of fields is listed together with the other changes to a component: in words, and as data.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runningServer, type TestServer } from '../support/running-server.ts'
import { administrator } from '../support/small-org.ts'

let test: TestServer
beforeAll(async () => {
  test = await runningServer()
})
afterAll(() => test.close())

const text = (key: string, more: object = {}) => ({ key, type: 'text', ...more })
const set = (label: string, ...fields: object[]) => ({
  type: 'config_set',
  key: 'note',
  label,
  body: { cardinality: 'singleton', scopes: ['org'], fields, ...administrator },
})

it('a change list contains a new order of fields together with a new label', async () => {
  const first = set('Note', text('head'), text('body'), text('foot'))
  const { status } = await test.studio('POST', '/metadata/v3/apply', {
    components: [first],
    rationale: 'Start.',
  })
  expect(status).toBe(200)
  const components = [set('Notes', text('body'), text('head', { required: true }), text('foot'))]
  for (const door of ['plan', 'diff']) {
    const { body } = await test.studio<{ changes: object[] }>('POST', `/metadata/v3/${door}`, { components })
    expect(body.changes).toMatchObject([
      {
        words: {
          title: expect.stringContaining('order of Fields') as string,
          before: expect.stringContaining('head, body, foot') as string,
          after: expect.stringContaining('body, head, foot') as string,
        },
        values: [
          {
            path: '/body/fields',
            before: ['head', 'body', 'foot'],
            after: ['body', 'head', 'foot'],
            reordered: true,
          },
          { path: '/body/fields/head/required', before: false, after: true },
          { path: '/label', before: 'Note', after: 'Notes' },
        ],
      },
    ])
  }
})
