// The worker that saves records follows the applies of its server: a generation that was activated since it began is the
// active one for it too.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { apply, clerk, signIn } from '../support/billing-org.ts'
import { runningServer, type Ask, type TestServer } from '../support/running-server.ts'

const number = { type: 'number', precision: 9, scale: 0 }
const most = { child: 'part', via: 'box', op: 'max', of: 'grams' }
const bodies = {
  'object/box': {
    fields: [
      { key: 'name', type: 'text' },
      { key: 'most', ...number, rollup: most },
    ],
  },
  'object/part': {
    fields: [
      { key: 'box', type: 'reference', references: 'box' },
      { key: 'grams', ...number },
    ],
  },
}
const components = Object.entries(bodies).map(([id, body]) => {
  const [type, key] = id.split('/')
  return { type, key, label: key, body }
})

let test: TestServer
let ada: Ask
beforeAll(async () => {
  test = await runningServer()
  const set = clerk(bodies) as { body: { fields: Record<string, object> } }
  set.body.fields['box.most'] = { read: true }
  await apply(test.studio, [...components, set])
  ;({ ada } = (await signIn(test, [{ key: 'ada', permissionSets: ['clerk'] }])) as { ada: Ask })
})
afterAll(() => test.close())

it('goes on with differences after the first apply: a box whose greatest weight stays the same is not written', async () => {
  const insert = async (object: string, fields: object): Promise<string> => {
    const { status, body } = await ada<{ id: string }>('POST', `/data/v3/${object}`, fields)
    expect(status).toBe(201)
    return body.id
  }
  const box = await insert('box', { name: 'a' })
  await insert('part', { box, grams: '50' })
  const read = async (): Promise<unknown> => {
    const { body } = await ada<{ version: number; fields: object }>('GET', `/data/v3/box/${box}`)
    return { version: body.version, ...body.fields }
  }
  expect(await read()).toMatchObject({ version: 2, most: '50' })
  const states = { type: 'value_set', key: 'state', label: 'State', body: { values: [] } }
  await apply(test.studio, [states])
  await insert('part', { box, grams: '1' })
  await insert('part', { box, grams: '2' })
  // A request of an earlier generation writes its binding.
  expect(await read()).toMatchObject({ version: 2, most: '50' })
})
