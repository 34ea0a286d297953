import { expect, it } from 'vitest'
import { namedCredentialBody } from '#kernel/components/named-credential/body.ts'
import { ManualTimer, settle } from '../../test/support/manual-timer.ts'
import type { Callout } from '../callouts/index.ts'
import type { OutboxRow } from '../ports/outbox.ts'
import { mintOutsideTransaction } from '../ports/outside-transaction.ts'
import { createPayloads } from '../service-calls/index.ts'
import { createOutboxWorker } from './outbox-worker.ts'

const body = namedCredentialBody.parse({
  ...{ url: 'https://target.example', externalCredential: 'key', principal: 'service' },
})
const row: OutboxRow = {
  ...{ id: 'row', credential: 'target', correlationId: 'c', scopePath: {}, prior: 0, job: null },
  ...{
    state: 'sending',
    attempts: [],
    priorAttempts: 0,
    nextAttemptAt: null,
    problem: null,
    resolution: null,
  },
  effect: {
    ...{ sequence: 1, kind: 'enqueue', automation: 'a', action: 'b', record: 'order/1', version: 1 },
    ...{ generation: 1, actor: 'ada', at: '2026-01-01T00:00:00.000Z', deferred: [] },
    body: { method: 'GET', path: '/call' },
  },
}
const attempt = { n: 1, at: '2026-01-01T00:00:00.000Z', endpoint: 'https://target.example/call' }

/** A worker that makes one call, which ends when the test is over. */
function calling(isExtended: boolean) {
  const timer = new ManualTimer()
  /** By how long the process stood still: no timer ran in the meantime. */
  const stopped = { ms: 0 }
  const now = (): string => new Date(Date.UTC(2026, 1) + timer.elapsedMs() + stopped.ms).toISOString()
  const rows = [row]
  const calls: Callout[] = []
  createOutboxWorker({
    writes: {
      claim: async ({ token }) => rows.splice(0).map((each) => ({ row: each, token, deferred: {} })),
      change: async (changes) => changes.map(() => true),
      extend: async ({ claims }) => claims.map(() => isExtended),
      purge: async () => 0,
    },
    callouts: {
      attempt: async (_capability, callout) => {
        calls.push(callout)
        return new Promise(() => undefined)
      },
    },
    ...{ capability: mintOutsideTransaction(), timer, clock: { now, today: () => '2026-01-01' } },
    targets: {
      ...{ credentialOf: () => ({ key: 'target', body }), operationAt: () => null },
      payloads: createPayloads(null),
    },
    limits: () => new Map(),
    nextAt: async () => rows[0]?.effect.at ?? null,
    ids: { uuid: () => 'token' },
    onJob: () => undefined,
    onError: (error) => {
      throw error
    },
  })
  return { timer, stopped, call: async () => (await settle(), calls[0]!) }
}

it('a call is sent while its claim is renewed', async () => {
  const { timer, call } = calling(true)
  const { onAttempt, maySend } = await call()
  for (let at = 0; at < 10; at += 1) {
    await timer.advance(10_000)
    await onAttempt!(attempt)
    expect(maySend!()).toBe(true)
  }
})

it('a call is not sent by a process that stood still until its claim could have ended', async () => {
  const { timer, stopped, call } = calling(false)
  const { onAttempt, maySend } = await call()
  await onAttempt!(attempt)
  expect(maySend!()).toBe(true)
  stopped.ms = 21_000
  expect(maySend!()).toBe(false)
  await expect(onAttempt!(attempt)).rejects.toThrow('Another worker could have taken over')
  // A claim that a different worker has by then is not renewed.
  await timer.advance(10_000)
  expect(maySend!()).toBe(false)
})
