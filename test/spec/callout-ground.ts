// Makes calls on a clock that the test advances, through the executor and through the worker of the outbox; the target
// answers as its case defines.
import { setImmediate as turn } from 'node:timers/promises'
import { namedCredentialBody } from '#kernel/components/named-credential/body.ts'
import type { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { createCallouts, type Callouts } from '../../server/callouts/index.ts'
import { createOutboxWorker, outboxWrites } from '../../server/outbox/index.ts'
import { createPayloads } from '../../server/service-calls/index.ts'
import { CalloutFault, type CalloutTransport } from '../../server/ports/callout-transport.ts'
import type { RecordEffect } from '../../server/ports/record-change.ts'
import { mintOutsideTransaction } from '../../server/ports/outside-transaction.ts'
import { createMemoryRecordStore } from '../../server/storage/sqlite/records/open-record-store.ts'
import { ManualTimer } from '../support/manual-timer.ts'
import { memoryCalloutLimits } from '../support/memory-callout-limits.ts'
import type { CalloutCase, Expected, Reply } from './callouts.table.ts'
import { unobserved } from '../support/unobserved.ts'

const startMs = Date.UTC(2026, 0, 1)
const ann = { actor: 'ann', correlationId: 'c', reason: 'Maintenance.' }
const capability = mintOutsideTransaction()
const faults = {
  timeout: ['timeout', 'no response', true],
  unreachable: ['unreachable', 'it refused the connection', false],
  lost: ['lost', 'the connection ended', true],
  tls: ['tls', 'its certificate has expired', false],
} as const

interface Ground {
  timer: ManualTimer
  callouts: Callouts
  credential: { key: string; body: ReturnType<typeof namedCredentialBody.parse> }
  now(): string
  sent: number[]
  /** Goes on until a second, with the events of the case. */
  advanceTo(second: number): Promise<void>
}

function newGround(test: CalloutCase): Ground {
  const timer = new ManualTimer()
  const seconds = (): number => Math.round(timer.elapsedMs()) / 1000
  const sent: number[] = []
  const body = namedCredentialBody.parse({
    ...{ url: 'https://target.example', externalCredential: 'key', principal: 'service' },
    ...test.credential,
  })
  const credential = { key: 'target', body }
  let isGranted = true
  let ids = 0
  const transport: CalloutTransport = {
    send: async ({ timeoutMs }) => {
      const reply = test.replies[Math.min(sent.length, test.replies.length - 1)]!
      sent.push(seconds())
      return respond(reply, (ms) => timer.wait(ms, { isBackground: true }), timeoutMs)
    },
    close: async () => undefined,
  }
  const now = (): string => new Date(startMs + timer.elapsedMs()).toISOString()
  const callouts = createCallouts({
    ...{ transport, timer, clock: { now, today: () => '2026-01-01' } },
    observer: unobserved,
    limits: memoryCalloutLimits(() => startMs + timer.elapsedMs()),
    grants: { check: () => (isGranted ? null : 'The user cannot use the principal.') },
    authentication: {
      authenticate: async ({ url, headers }) => ({ url, headers, redact: (text) => text }),
    },
    ids: { uuid: () => `id-${(ids += 1)}` },
    random: { bytes: (size) => Buffer.alloc(size, Math.floor((test.random ?? 0) * 256)) },
  })
  const events = [...(test.events ?? [])]
  const advanceTo = async (second: number): Promise<void> => {
    // Where something happens at the same time, a step ends; what it leads to needs turns of the event loop.
    const stepMs = second > 120 ? 5000 : 50
    for (;;) {
      while (events[0] !== undefined && events[0].at <= seconds()) {
        const { do: what } = events.shift()!
        if (what === 'revoke_grant') isGranted = false
        else if (what === 'force_open') await callouts.breaker('target').forceOpen(ann, body.circuitBreaker)
        else await callouts.breaker('target').forceClose(ann, body.circuitBreaker)
      }
      if (seconds() >= second) return
      await timer.advance(Math.min(stepMs, Math.round((second - seconds()) * 1000)))
      for (let settled = 0; settled < 12; settled += 1) await turn()
    }
  }
  return { timer, callouts, credential, now, sent, advanceTo }
}

async function respond(reply: Reply, wait: (ms: number) => Promise<void>, timeoutMs: number) {
  if (typeof reply === 'string') {
    if (reply === 'timeout') await wait(timeoutMs)
    const [kind, reason, isSent] = faults[reply]
    throw new CalloutFault(kind, reason, isSent)
  }
  const { status, retryAfter, after = 0 } = typeof reply === 'number' ? { status: reply } : reply
  if (after > 0) await wait(after * 1000)
  const headers: Record<string, string> = retryAfter === undefined ? {} : { 'retry-after': retryAfter }
  return { status, headers, body: Buffer.alloc(0) }
}

/** As an operation that waits for the response. */
export async function runOperation(test: CalloutCase): Promise<Expected> {
  const ground = newGround(test)
  const ends: string[] = []
  await ground.advanceTo(0)
  for (const [index, at] of (test.calls ?? [0]).entries()) {
    await ground.advanceTo(at)
    const { credential } = ground
    const { method = 'GET', isKeyed = false } = test
    ends.push('open')
    void ground.callouts
      .execute(capability, {
        ...{ credential, method, actor: 'ada', correlationId: 'c', path: '/call' },
        idempotencyKey: { value: 'k', isDeclared: isKeyed },
      })
      .then(
        () => (ends[index] = 'delivered'),
        (error: unknown) => (ends[index] = `dead ${(error as AlmanacError).code}`),
      )
  }
  await ground.advanceTo(test.until ?? 12)
  return { sent: ground.sent, ends }
}

/** As calls that saves have left in the outbox. */
export async function runOutbox(test: CalloutCase): Promise<Expected> {
  const ground = newGround(test)
  const store = createMemoryRecordStore()
  const { timer, now, credential, callouts } = ground
  let tokens = 0
  let events = 0
  const writing = {
    clock: () => ({ now, today: () => '2026-01-01' }),
    newId: () => `event-${(events += 1)}`,
  }
  const errors: unknown[] = []
  await ground.advanceTo(0)
  const worker = createOutboxWorker({
    ...{ callouts, capability, timer, clock: { now, today: () => '2026-01-01' } },
    writes: outboxWrites({ store: () => store, deferredValues: async () => ({}), ...writing }),
    targets: { credentialOf: () => credential, operationAt: () => null, payloads: createPayloads(null) },
    limits: () => new Map([['target', credential.body.budget.concurrency]]),
    nextAt: () => store.read((reader) => reader.nextOutboxAt()),
    ids: { uuid: () => `token-${(tokens += 1)}` },
    onJob: () => undefined,
    onError: (error) => errors.push(error),
  })
  const calls = test.calls ?? [0]
  for (const [index, at] of calls.entries()) {
    await ground.advanceTo(at)
    await store.write((tx) => tx.append(effectOf(test, index, now()), outbound(index)))
    worker.wake()
  }
  await ground.advanceTo(test.until ?? 12)
  const ends = await store.read((reader) =>
    Promise.all(
      calls.map(async (_at, index) => {
        const row = await reader.outboxRow(`row-${index}`)
        if (row === undefined) return 'delivered'
        return `${row.state === 'dead' ? 'dead' : 'open'} ${row.problem?.code ?? ''}`
      }),
    ),
  )
  const closed = worker.close()
  await timer.advance(60_000)
  await closed
  await store.close()
  if (errors.length > 0) throw errors[0]
  return { sent: ground.sent, ends }
}

const outbound = (index: number) => ({
  ...{ id: `row-${index}`, credential: 'target', correlationId: 'c', scopePath: {}, prior: 0, job: null },
})

const effectOf = (
  { method = 'GET', isKeyed, isOfOneRecord }: CalloutCase,
  index: number,
  at: string,
): RecordEffect => ({
  ...{ kind: 'enqueue', automation: 'a', action: 'b', record: `order/${isOfOneRecord ? 1 : index}` },
  ...{ version: 1, generation: 1, actor: 'ada', at, deferred: [] },
  body: { method, path: '/call', ...(isKeyed ? { idempotencyKey: `k-${index}` } : {}) },
})
