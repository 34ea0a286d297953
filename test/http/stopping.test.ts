// A server that stops while requests wait: saves that are running are answered, and the others are refused as ones that can
// be sent again.
import { expect, it } from 'vitest'
import { apply, billingComponents, clerk, signIn } from '../support/billing-org.ts'
import { lockRecords } from '../support/locked-records.ts'
import { runningServer, type Ask } from '../support/running-server.ts'

it('a server that stops responds to every save that waits', async () => {
  // The save that runs is answered in its own time, however long it takes.
  const test = await runningServer({ closingTimes: { graceMs: 1000, lastMomentMs: 60_000 } })
  await apply(test.studio, [...billingComponents(), clerk()])
  const { ada } = (await signIn(test, [{ key: 'ada', permissionSets: ['clerk'] }])) as { ada: Ask }
  const add = (name: string) => ada('POST', '/data/v3/customer', { name, country: 'DE' })
  await add('Before')
  const release = await lockRecords(test.dir)
  const running = add('Running')
  await new Promise((resolve) => setTimeout(resolve, 1000))
  const waiting = Array.from({ length: 20 }, (_, at) => add(`Waiting ${at}`))
  // Responses to requests that are sent later, one after another: by then, the saves have arrived.
  for (let turn = 0; turn < 5; turn += 1) await test.studio('GET', '/setup/v3/org')
  const closed = test.close()
  for (const { status, body, headers, text } of await Promise.all(waiting)) {
    expect([status, body['code'], body['retriable']], text).toEqual([503, 'server.not_ready', true])
    expect(headers.get('retry-after')).toBe('5')
  }
  await release()
  expect((await running).status).toBe(201)
  await closed
})

it('a server that stops responds to a page of events that waits', async () => {
  const test = await runningServer({ closingTimes: { graceMs: 20_000, lastMomentMs: 20_000 } })
  await apply(test.studio, [
    { ...{ type: 'permission_set', key: 'reader', label: 'Reader' }, body: {} },
    {
      ...{ type: 'event_channel', key: 'note', label: 'Note' },
      body: { schema: [{ key: 'text', type: 'text' }], read: { reader: 'read' } },
    },
  ])
  const { ada } = (await signIn(test, [{ key: 'ada', permissionSets: ['reader'] }])) as { ada: Ask }
  const waiting = ada('GET', '/events/v3/channels/note/events?wait=60')
  await new Promise((resolve) => setTimeout(resolve, 500))
  const started = performance.now()
  const closed = test.close()
  expect(await waiting).toMatchObject({ status: 200, body: { events: [], isAtEnd: true } })
  await closed
  expect(performance.now() - started).toBeLessThan(10_000)
})
