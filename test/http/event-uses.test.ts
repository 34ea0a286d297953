// Deliveries to webhooks, and the events that a client follows, count as uses of the fields that they write or carry.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { effectiveAccess } from '../../server/access/index.ts'
import { apply, signIn } from '../support/billing-org.ts'
import { contactComponents } from '../support/ingest-requests.ts'
import { runningServer, type Ask, type TestServer } from '../support/running-server.ts'
import { bodyOf, deliver, endpointOf, openWebhooks, settled } from '../support/webhook-requests.ts'

let test: TestServer
let ada: Ask
let ops: Ask
beforeAll(async () => {
  test = await runningServer()
  await openWebhooks(test, ['plain'])
  ;({ ada, ops } = (await signIn(test, [
    { key: 'ada', permissionSets: ['loader'] },
    { key: 'ops', permissionSets: ['loader', 'operator'] },
  ])) as { ada: Ask; ops: Ask })
})
afterAll(() => test.close())

type Contact = { body: { fields: { key: string; aliases?: string[] }[]; capture?: object } }
const contact = (): Contact => structuredClone(contactComponents()[1] as Contact)

const usesOf = async (client: string): Promise<string[]> => {
  const { body } = await test.studio<{ uses: { field: string | null; name: string }[] }>(
    'GET',
    `/setup/v3/clients/${client}/uses`,
  )
  return body.uses.map(({ name }) => name).sort()
}

it('a field that deliveries write is in use after its mapping was removed', async () => {
  const mapped = (values: object): object =>
    endpointOf('plain', { dispatch: { upsert: { object: 'contact', externalId: 'code', values } } })
  await apply(test.studio, [mapped({ code: '/id', full_name: '/name' })])
  const sent = await deliver(test.plain, { preset: 'plain', body: bodyOf({ id: 'U1', name: 'Ada' }) })
  expect(await settled(ops, String(sent.body['delivery']))).toMatchObject({ state: 'dispatched' })
  const renamed = contact()
  delete renamed.body.fields.find(({ key }) => key === 'name')!.aliases
  const components = [mapped({ code: '/id' }), renamed]
  await expect
    .poll(async () => {
      const { body } = await test.studio<{ findings: { code: string; message: string }[] }>(
        ...(['POST', '/metadata/v3/plan', { components }] as const),
      )
      return body.findings.filter(({ code }) => code === 'deploy.field_in_use')
    })
    .toMatchObject([
      {
        message: expect.stringMatching(
          /^contact\.full_name was last used by webhook_endpoint\/plain/,
        ) as string,
      },
    ])
  const removed = await test.studio('POST', '/metadata/v3/apply', { components, rationale: 'test' })
  expect([removed.status, removed.body['code']]).toEqual([409, 'deploy.field_in_use'])
  await apply(test.studio, [mapped({ code: '/id' }), { ...renamed, breaking: true }])
})

it('a client that follows a channel uses the fields that the channel carries, for as long as it does', async () => {
  const captured = contact()
  captured.body.capture = { enabled: true }
  await apply(test.studio, [
    { ...captured, breaking: true },
    {
      ...{ type: 'event_channel', key: 'narrow', label: 'Narrow' },
      body: { object: 'contact', fields: ['amount', 'name'], read: { loader: 'read' } },
    },
  ])
  expect((await ada('GET', '/events/v3/channels/narrow/events')).status).toBe(200)
  await expect.poll(() => usesOf('ada')).toEqual(['amount', 'contact', 'name'])
  // Each part of a stream, not only its beginning.
  await test.beside(async ({ records, org }) => {
    const access = org.store.read((reader) => effectiveAccess(reader, 'ada', org.pin().view))
    const from = { access, generation: org.activeGeneration(), scopePath: {}, client: 'ada' }
    await records.events.next(from, 'narrow', { position: [0, 0, 0, 0], partition: null, limit: 1 })
    expect(records.takeUses().map(({ name }) => name)).toContain('amount')
  })
})
