// Events about records: which objects changed, for users who can read them.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { apply, billingComponents, clerk, signIn } from '../support/billing-org.ts'
import { runningServer, type Ask, type TestServer } from '../support/running-server.ts'

let test: TestServer
let ada: Ask
let streams: { ada: Stream; bob: Stream }
const by = { actor: 'admin', correlationId: 'c', isOperator: true }

beforeAll(async () => {
  test = await runningServer()
  await apply(test.studio, [...billingComponents(), clerk()])
  const users = [
    { key: 'ada', permissionSets: ['clerk'] },
    { key: 'bob', permissionSets: ['administrator'] },
  ]
  ;({ ada } = (await signIn(test, users)) as { ada: Ask })
  streams = { ada: await openStream('ada'), bob: await openStream('bob') }
})
afterAll(async () => {
  await Promise.all(Object.values(streams).map(({ close }) => close()))
  await test.close()
})

interface Stream {
  /** The objects of the events since the last call, once it has this many. */
  objects(count: number): Promise<string[]>
  text(): string
  close(): Promise<void>
}

async function openStream(user: string): Promise<Stream> {
  const { token } = await test.beside(({ access }) => access.issueToken(by as never, user))
  const response = await fetch(`${test.url}/setup/v3/events`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  let seen = 0
  const reading = (async () => {
    for (;;) {
      const { value, done } = await reader.read().catch(() => ({ value: '', done: true }))
      if (done) return
      text += value
    }
  })()
  const all = (): string[] =>
    [...text.matchAll(/event: records\ndata: (.*)\n\n/g)].map(
      ([, data]) => (JSON.parse(data!) as { object: string }).object,
    )
  return {
    text: () => text,
    async objects(count) {
      await expect.poll(() => all().length - seen).toBeGreaterThanOrEqual(count)
      const news = all().slice(seen)
      seen = all().length
      return news
    },
    async close() {
      await reader.cancel().catch(() => undefined)
      await reading
    },
  }
}

interface Saved {
  id: string
  version: number
}

it('the objects of which records changed are reported to users who can read them', async () => {
  const { body: customer } = await ada<Saved>('POST', '/data/v3/customer', { name: 'Ada', country: 'DE' })
  expect(await streams.ada.objects(1)).toEqual(['customer'])
  await ada('PATCH', `/data/v3/customer/${customer.id}`, { name: 'Bea' }, { 'if-match': '"1"' })
  expect(await streams.ada.objects(1)).toEqual(['customer'])

  // A refused save and a read change nothing; many saves at once are one event for each object.
  await ada('POST', '/data/v3/customer', { name: null })
  await ada('GET', `/data/v3/customer/${customer.id}`)
  const invoices = Array.from({ length: 20 }, (_, at) => ({
    op: 'insert',
    fields: { number: `N-${at}`, customer: customer.id, net: '100', tax_point: '2022-01-01' },
  }))
  const { status } = await ada('POST', '/data/v3/invoice/batch', { records: invoices })
  expect(status).toBe(200)
  expect(await streams.ada.objects(1)).toEqual(['invoice'])
  expect(streams.bob.text()).not.toContain('records')
})

it('records that another process changed are reported too', async () => {
  const { body: customer } = await ada<Saved>('POST', '/data/v3/customer', { name: 'Cid', country: 'DE' })
  await streams.ada.objects(1)
  await test.beside(({ records, org }) =>
    records.save({
      ...{ client: null, generation: org.activeGeneration(), user: 'ada', correlationId: 'c', scopePath: {} },
      items: [{ op: 'delete', object: 'customer', id: customer.id, fields: {} }],
      ...{ allOrNone: false, reply: 'ids' },
    }),
  )
  expect(await streams.ada.objects(1)).toEqual(['customer'])
})
