// Receives and dispatches deliveries until it is killed at a point, or has dispatched all:
// node points-child.ts <org> <point or "-"> <fault or "-"> <milliseconds that its clock is ahead> <id>…
import { createHmac } from 'node:crypto'
import { writeSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { enginesOf } from '../../../server/compose/engines.ts'
import { openOrg } from '../../../server/compose/open-org.ts'
import { openDeliveries } from '../../../server/compose/open-webhooks.ts'
import type { NewDelivery } from '../../../server/ports/deliveries.ts'
import { haltAt } from '../halt-at.ts'
import { secret, type PlantedFault, type Point } from './points.ts'

const [dir = '', stop = '-', fault = '-', ahead = '0', ...ids] = process.argv.slice(2)
const halt = haltAt(stop) as (point: Point) => void
const now = (): string => new Date(Date.now() + Number(ahead)).toISOString()
const opened = openOrg(dir, { clock: { now, today: () => now().slice(0, 10) } })
const { deliveries } = opened.records
const org: typeof opened = {
  ...opened,
  records: {
    ...opened.records,
    deliveries: {
      ...deliveries,
      receive: async (lists) => {
        halt('verified')
        const isPlanted = (fault as PlantedFault) === 'repeats'
        const known = await deliveries.receive(isPlanted ? withoutKeys(lists) : lists)
        halt('stored')
        return known
      },
      claim: async (request) => {
        const claimed = await deliveries.claim(request)
        if (claimed.length > 0) halt('claimed')
        return claimed
      },
    },
  },
}
/** No repeat is recognised by them. */
async function* withoutKeys(
  lists: AsyncIterable<readonly NewDelivery[]>,
): AsyncIterable<readonly NewDelivery[]> {
  for await (const list of lists) yield list.map((each) => ({ ...each, keys: [] }))
}

const engines = enginesOf(org)
const endpoint = org.pin().view.get('webhook_endpoint', 'incoming')!
for (const id of ids) {
  const body = Buffer.from(JSON.stringify({ id }))
  const signature = createHmac('sha256', secret).update(body).digest('hex')
  await engines.webhooks.receiver.receive(endpoint, {
    ...{ headers: { 'x-id': id, 'x-signature': signature }, body, correlationId: id, testedBy: null },
  })
  writeSync(1, `acknowledged ${id}\n`)
}
halt('acknowledged')
const worker = openDeliveries(org, {
  dispatch: async (command) => {
    await engines.records.dispatch(command)
    halt('dispatched')
  },
  onError: (error) => writeSync(2, `${String(error)}\n`),
})
for (;;) {
  const { pending, dispatching } = await org.records.store().read((reader) => reader.countDeliveries({}))
  if (pending + dispatching === 0) break
  await wait(20)
}
await worker.close()
await engines.closeOutside()
await org.close()
