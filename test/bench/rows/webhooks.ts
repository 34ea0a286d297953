// Receipts of webhooks: verified and durable before they are acknowledged, next to bare Express with the same work.
import { createHmac } from 'node:crypto'
import { join } from 'node:path'
import { enginesOf } from '../../../server/compose/engines.ts'
import { initOrg } from '../../../server/compose/open-org.ts'
import { roundsOf, timingOf } from '../support/compare.ts'
import type { Part, PartContext } from '../support/part.ts'
import { load, serve, type Ask, type Load, type Served } from '../support/served.ts'
import { rated, turnMs } from '../support/turns.ts'

const secret = 'a secret of the sender'
const rounds = 7
const connections = 64
const least = 0.9

const components = [
  {
    ...{ type: 'external_credential', key: 'sender', label: 'Sender' },
    body: { scheme: 'api_key', principals: [{ key: 'sender' }] },
  },
  {
    ...{ type: 'automation', key: 'nothing', label: 'Nothing' },
    body: { phase: 'invocable', params: [], actions: [] },
  },
  {
    ...{ type: 'webhook_endpoint', key: 'bench', label: 'Bench' },
    body: {
      ...{ path: '/hooks/bench', runAs: 'admin', dispatch: { automation: 'nothing' } },
      verification: {
        ...{ scheme: 'hmac_sha256', externalCredential: 'sender', signatureHeader: 'X-Signature' },
        ...{ signedPayload: '{timestamp}.{body}', timestampHeader: 'X-Timestamp' },
      },
      dedupe: { idHeader: 'X-Id' },
    },
  },
]

export const webhooksPart: Part = {
  name: 'webhooks',
  title: 'Receipts of webhooks',
  async run({ folder, say }: PartContext) {
    say('servers')
    const dir = join(folder, 'org')
    await makeOrg(dir)
    const ours = await serve('webhook-server', dir)
    const express = await serve('webhook-express-server', join(folder, 'express.sqlite'), secret)
    try {
      const [own, limit] = await turns(say, [ours, express])
      return {
        lines: [
          {
            what: 'receive a delivery',
            work: `requests a second, ${connections} connections`,
            ...rated(own!, 'bare Express', limit!, least),
          },
        ],
        notes: [
          'A delivery has a body of 1 KB. Both sides verify an HMAC with SHA-256 over the time and the body, reject an age of more than five minutes, recognise a repeat by its id and by what was signed, and store the delivery with an fsync before they respond, those that arrive together in one transaction. Ours also keeps each step of the verification, digests of every row, and indexes for operators. Deliveries are not dispatched in the meantime. Sides take turns; a figure is the median of seven.',
        ],
      }
    } finally {
      await ours.stop()
      await express.stop()
    }
  },
}

async function makeOrg(dir: string): Promise<void> {
  const org = initOrg(dir, { name: 'Webhooks', environment: 'test' })
  const by = { actor: 'admin', correlationId: 'c', isOperator: true }
  await org.apply({ source: { kind: 'components', components }, actor: 'admin' })
  const { credentials } = enginesOf(org)
  await credentials.stage(by, { credential: 'sender', principal: 'sender' }, { key: secret })
  await org.close()
}

let number = 0

function delivery(): Ask {
  number += 1
  const body = JSON.stringify({ id: `evt_${number}`, data: 'x'.repeat(1000) })
  const timestamp = String(Math.floor(Date.now() / 1000))
  const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')
  const headers = { 'x-id': `d_${number}`, 'x-timestamp': timestamp, 'x-signature': signature }
  return { method: 'POST', path: '/hooks/bench', headers, body }
}

async function turns(say: (text: string) => void, sides: readonly Served[]): Promise<number[]> {
  const loads = sides.map((): Load[] => [])
  for (let round = 0; round <= roundsOf(rounds); round += 1) {
    say(`receipts, ${round} of ${roundsOf(rounds)}`)
    for (const [at, served] of sides.entries()) {
      const one = await load(served, {
        ...{ connections, ms: turnMs, headers: {}, next: delivery },
        check: (status, body) => {
          if (status !== 202) throw new Error(`A delivery was answered with ${status}: ${body}`)
        },
      })
      // The first turn warms up.
      if (round > 0) loads[at]!.push(one)
    }
  }
  return loads.map(
    (each) =>
      timingOf(
        '',
        each.map(({ requests, ms }) => (requests / ms) * 1000),
      ).ms,
  )
}
