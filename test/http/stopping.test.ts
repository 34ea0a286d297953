// A server that stops while saves wait: those that are running are answered, and the others are refused as ones that can be
// sent again.
import { expect, it } from 'vitest'
import { apply, billingComponents, clerk, signIn } from '../support/billing-org.ts'
import { lockRecords } from '../support/locked-records.ts'
import { runningServer, type Ask } from '../support/running-server.ts'

it('a server that stops responds to every save that waits', async () => {
  const test = await runningServer()
  await apply(test.studio, [...billingComponents(), clerk()])
  const { ada } = (await signIn(test, [{ key: 'ada', permissionSets: ['clerk'] }])) as { ada: Ask }
  const add = (name: string) => ada('POST', '/data/v3/customer', { name, country: 'DE' })
  await add('Before')
  const release = await lockRecords(test.dir)
  const running = add('Running')
  await new Promise((resolve) => setTimeout(resolve, 200))
  const waiting = Array.from({ length: 20 }, (_, at) => add(`Waiting ${at}`))
  // A busy machine takes a while to receive them all.
  await new Promise((resolve) => setTimeout(resolve, 1500))
  const closed = test.close()
  for (const { status, body, headers, text } of await Promise.all(waiting)) {
    expect([status, body['code'], body['retriable']], text).toEqual([503, 'server.not_ready', true])
    expect(headers.get('retry-after')).toBe('5')
  }
  await release()
  expect((await running).status).toBe(201)
  await closed
})
