// Ten thousand calls in the outbox, of which half of the requests fail, until the last one is delivered.
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { openOutbox } from '../../../server/compose/open-callouts.ts'
import { roundsOf, timingOf } from '../support/compare.ts'
import { outgoingOrg, user, type OutgoingOrg } from '../support/outgoing-org.ts'
import { duration, type Part } from '../support/part.ts'
import { serve } from '../support/served.ts'
import type { ReceivedByTarget } from '../support/servers/target-server.ts'

const calls = 10_000
const inFlight = 20
const perBatch = 200
const mostMs = 120_000
/** A drain takes long enough for three to be enough. */
const rounds = 3

export const outboxPart: Part = {
  name: 'outbox',
  title: 'The outbox',
  async run({ folder, say }) {
    const times: number[] = []
    const requests: number[] = []
    for (let round = 0; round < roundsOf(rounds); round += 1) {
      say(`drain, ${round + 1} of ${roundsOf(rounds)}`)
      const drained = await drain(join(folder, `org-${round}`))
      times.push(drained.ms)
      requests.push(drained.requests)
    }
    const { ms, slowest } = timingOf('', times)
    const sent = timingOf('', requests).ms
    return {
      lines: [
        {
          what: 'drain',
          work: `${calls.toLocaleString('en')} calls, ${inFlight} at the same time, ${Math.round(sent).toLocaleString('en')} requests, half of which fail`,
          ours: `${duration(ms)} (of all ${duration(slowest)})`,
          ...{ against: '', ratio: '' },
          aim: `≤ ${mostMs / 1000} s, none lost`,
          met: ms <= mostMs,
        },
      ],
      notes: [
        `The calls are left by saves of ${calls.toLocaleString('en')} records, with an fsync for every transaction, and sent by the worker as a server runs it: each attempt is counted durably before it is sent, with a secret from the vault, through grant, circuit breaker (threshold 10,000) and budget. The time is from the start of the worker until the outbox is empty. The target returns 500 for every second request; at the end it must have carried out every call. Median of ${rounds}.`,
      ],
    }
  },
}

async function drain(dir: string): Promise<{ ms: number; requests: number }> {
  const target = await serve('target-server', '2')
  const outgoing = await outgoingOrg(dir, target.url, inFlight)
  try {
    await leaveCalls(outgoing)
    const { org, engines } = outgoing
    const started = performance.now()
    const worker = openOutbox(org, {
      callouts: engines.outside().callouts,
      ...{ operations: engines.operations, payloads: engines.payloads },
      onJob: () => undefined,
      onError: (error) => {
        throw error
      },
    })
    try {
      await emptied(outgoing)
      const ms = performance.now() - started
      const { succeeded, requests, failed } = (await (
        await fetch(`${target.url}/received`)
      ).json()) as ReceivedByTarget
      if (succeeded !== calls || failed < requests / 2 - 1)
        throw new Error(
          `The target carried out ${succeeded} calls; ${failed} of ${requests} requests failed.`,
        )
      return { ms, requests }
    } finally {
      await worker.close()
    }
  } finally {
    await outgoing.close()
    await target.stop()
  }
}

async function leaveCalls({ org, engines }: OutgoingOrg): Promise<void> {
  for (let from = 0; from < calls; from += perBatch) {
    const items = Array.from({ length: perBatch }, (_, at) => ({
      ...{ op: 'insert' as const, object: 'order', fields: { number: `N-${from + at}` } },
    }))
    const { results } = await engines.records.save({
      ...{ generation: org.activeGeneration(), user, correlationId: 'c', scopePath: {}, items },
      ...{ allOrNone: true, reply: 'ids' },
    })
    if (!results.every(({ ok }) => ok)) throw new Error('A record could not be saved.')
  }
}

async function emptied({ org }: OutgoingOrg): Promise<void> {
  const store = org.records.store()
  for (;;) {
    const counts = await store.read((reader) => reader.countOutbox({}))
    if (counts.dead > 0) throw new Error(`${counts.dead} calls are dead.`)
    if (counts.pending + counts.sending === 0) return
    await wait(counts.pending > 500 ? 500 : 20)
  }
}
