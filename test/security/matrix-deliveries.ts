// Deliveries to webhook endpoints: who sees and handles them, and who sees why they have failed.
import { createHmac } from 'node:crypto'
import type { Answer } from '../support/running-server.ts'
import type { Doors } from './matrix-doors.ts'
import { Reference } from './record-worlds.ts'

const secret = 'matrix-secret-matrix-secret-0001'
const deliveries = '/setup/v3/deliveries'
interface Delivery {
  id: string
  state: string
  problem: { detail: string } | null
}

export async function askDeliveries({ test, world, asks, check }: Doors): Promise<void> {
  const { hook } = world
  const slot = `/setup/v3/credentials/${hook.key}_secret/principals/sender/next`
  await test.studio('PUT', slot, { values: { key: secret } })
  const sent = '{"code":"q","note":"a","note":"b"}'
  const signature = createHmac('sha256', secret).update(sent).digest('hex')
  const headers = { 'content-type': 'application/json', 'x-signature': signature }
  const received = await test.plain('POST', `/hooks/${hook.key}`, sent, headers)
  check(`${hook.key} receipt`, received.status, 202)
  const list = `${deliveries}?endpoint=${hook.key}`
  const dead = await test.studio<{ rows: Delivery[] }>('GET', list)
  let [delivery] = dead.body.rows
  for (let tries = 0; delivery?.state !== 'dead' && tries < 400; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 25))
    delivery = (await test.studio<{ rows: Delivery[] }>('GET', list)).body.rows[0]
  }
  check(`${hook.key} delivery`, delivery?.state, 'dead')
  const id = delivery!.id
  for (const user of world.users) {
    const [ask, reference] = [asks[user.key]!, new Reference(world, user)]
    const isOperator = reference.isOperator()
    const at = (door: string): string => `${user.key} ${door} ${hook.key}`
    const codeOf = ({ status }: Answer<unknown>): number => status
    const listed = await ask<{ rows: Delivery[] }>('GET', list)
    check(at('deliveries'), codeOf(listed), isOperator ? 200 : 403)
    const got = await ask<Delivery>('GET', `${deliveries}/${id}`)
    check(at('delivery'), codeOf(got), isOperator ? 200 : 403)
    // The reason names the member that occurs twice.
    if (isOperator)
      for (const shown of [got.body, listed.body.rows.find((each) => each.id === id)])
        check(at('delivery, problem'), shown?.problem?.detail.includes('note'), reference.seesProblems())
    const count = { action: 'requeue', filter: { endpoint: hook.key }, dryRun: true }
    const counted = await ask<{ rows: number }>('POST', `${deliveries}/actions`, count)
    check(at('deliveries, actions'), codeOf(counted), isOperator ? 200 : 403)
    const unknown = '00000000-0000-7000-8000-000000000000'
    const requeued = await ask('POST', `${deliveries}/${unknown}/requeue`, {})
    check(at('delivery, requeue'), codeOf(requeued), isOperator ? 404 : 403)
    const discarded = await ask('POST', `${deliveries}/${unknown}/discard`, { reason: 'x' })
    check(at('delivery, discard'), codeOf(discarded), isOperator ? 404 : 403)
  }
}
