// What the trace knows of a call is written with the change of its row, or not at all.
import { beforeEach, expect, it } from 'vitest'
import type { OutboxAttempt } from '../ports/outbox.ts'
import type { RecordStore } from '../ports/record-store.ts'
import type { TraceEvent } from '../ports/trace.ts'
import { createMemoryRecordStore } from '../storage/sqlite/records/open-record-store.ts'
import { outboxWrites, type OutboxChange, type OutboxWrites } from './outbox-writes.ts'

const at = '2026-01-01T00:00:00.000Z'
const later = '2026-01-01T00:01:00.000Z'
let store: RecordStore
let writes: OutboxWrites
let isTraceBroken: boolean
beforeEach(async () => {
  store = createMemoryRecordStore()
  isTraceBroken = false
  let made = 0
  writes = outboxWrites({
    store: () => ({
      write: (work) =>
        store.write((tx) =>
          work({
            ...tx,
            appendTrace: (events) => {
              if (isTraceBroken) throw new Error('The disk is full.')
              return tx.appendTrace(events)
            },
          }),
        ),
    }),
    deferredValues: async () => ({}),
    clock: () => ({ now: () => at, today: () => '2026-01-01' as never }),
    newId: () => `event ${(made += 1)}`,
  })
  await store.write((tx) =>
    tx.append(
      {
        ...{ kind: 'enqueue', automation: 'notify', action: 'send', record: 'invoice/1', version: 1 },
        ...{ generation: 2, actor: 'ada', at, body: { method: 'PUT', path: '/' }, deferred: [] },
      },
      { id: 'row', credential: 'bank', correlationId: 'c', scopePath: {}, prior: 0, job: null },
    ),
  )
  await claim('one')
})

const claim = (token: string) =>
  writes.claim({ now: at, until: later, token, limit: 9, limits: new Map(), defaultLimit: 9 })
const change = (more: object, token = 'one'): Promise<boolean[]> =>
  writes.change([{ id: 'row', token, ...more } as OutboxChange])
const attempt = (n: number, code: string | null): OutboxAttempt => ({
  ...{ n, at, endpoint: 'https://bank.example/', status: code === null ? 204 : 503, latencyMs: 12 },
  error:
    code === null
      ? null
      : { code, class: 'integration', title: 't', detail: 'A VALUE', origin: 'o', retriable: true },
})
const events = (): Promise<TraceEvent[]> =>
  store.read(async (reader) => (await reader.trace({}, 99)).reverse())
const kinds = async (): Promise<string[]> => (await events()).map(({ kind }) => kind).sort()
const state = () => store.read(async (reader) => (await reader.outboxRow('row'))?.state ?? 'removed')

it('a delivered call is removed and on the trace, or neither', async () => {
  isTraceBroken = true
  await expect(change({ kind: 'delivered', attempts: [attempt(1, null)] })).rejects.toThrow('full')
  expect([await state(), await kinds()]).toEqual(['sending', []])
  isTraceBroken = false
  expect(await change({ kind: 'delivered', attempts: [attempt(1, null)] })).toEqual([true])
  expect([await state(), await kinds()]).toEqual(['removed', ['delivery']])
})

it('a worker without the claim writes nothing', async () => {
  for (const kind of ['delivered', 'retry', 'deferred', 'dead'])
    expect(
      await change({ kind, attempts: [attempt(1, 'x')], at: later, problem: { code: 'x' } }, 'two'),
    ).toEqual([false])
  expect([await state(), await kinds()]).toEqual(['sending', []])
})

it('each failed attempt is on the trace once, and no message of an error', async () => {
  await change({ kind: 'attempt', attempt: { ...attempt(1, null), status: null, latencyMs: null } })
  await change({ kind: 'retry', attempts: [attempt(1, 'a')], at })
  await claim('one')
  await change({ kind: 'attempt', attempt: { ...attempt(2, null), status: null, latencyMs: null } })
  await change({
    kind: 'dead',
    attempts: [attempt(1, 'a'), attempt(2, 'b')],
    problem: attempt(2, 'b').error,
    at,
  })
  expect(await kinds()).toEqual(['attempt', 'attempt', 'dead'])
  const found = await events()
  expect(
    found.flatMap(({ kind, facts }) => (kind === 'attempt' ? [(facts as { n: number }).n] : [])),
  ).toEqual([1, 2])
  expect(JSON.stringify(found)).not.toContain('A VALUE')
})

it('a call that is put off again for the same reason is on the trace once', async () => {
  const problem = { ...attempt(1, 'integration.breaker_open').error! }
  for (const code of ['integration.breaker_open', 'integration.breaker_open', 'limit.callout_budget']) {
    await change({ kind: 'deferred', at, problem: { ...problem, code } })
    await claim('one')
  }
  expect(await kinds()).toEqual(['held', 'held'])
})

it('a call whose worker ended in the middle of an attempt is on the trace as unknown', async () => {
  await change({ kind: 'attempt', attempt: { ...attempt(1, null), status: null, latencyMs: null } })
  await writes.claim({ now: later, until: later, token: 'two', limit: 9, limits: new Map(), defaultLimit: 9 })
  const [event] = await events()
  expect(event).toMatchObject({ kind: 'attempt', facts: { n: 1, code: 'integration.outcome_unknown' } })
})

it('a call in whose middle the process ends again and again is dead, because it could be the cause', async () => {
  const lapse = async (n: number): Promise<void> => {
    await change({ kind: 'attempt', attempt: { ...attempt(n, null), status: null, latencyMs: null } }, `${n}`)
    await writes.claim({
      now: later,
      until: later,
      token: `${n + 1}`,
      limit: 9,
      limits: new Map(),
      defaultLimit: 9,
    })
  }
  await change({ kind: 'retry', attempts: [], at })
  await writes.claim({ now: at, until: at, token: '1', limit: 9, limits: new Map(), defaultLimit: 9 })
  for (let n = 1; n < 10; n += 1) await lapse(n)
  expect(await state()).toBe('sending')
  await lapse(10)
  expect(await state()).toBe('dead')
})
