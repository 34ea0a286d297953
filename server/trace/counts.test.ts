import { expect, it } from 'vitest'
import { createCalloutCounts } from '../callouts/index.ts'
import type { NewTraceEvent } from '../ports/trace.ts'
import { createCalloutMinutes, createClientTraffic } from './index.ts'

let now = 0
const clock = (): string => new Date(now).toISOString()

it('the latencies of a minute are one event for each credential', () => {
  const minutes = createCalloutMinutes(clock)
  expect(minutes.take('x')).toEqual([])
  now = 1000
  minutes.noteAttempt('bank', 'delivered', 4)
  minutes.noteAttempt('bank', 'failed', 90_000)
  minutes.noteAttempt('ledger', 'unknown', 5)
  now = 61_000
  const [bank, ledger] = minutes.take(clock())
  expect(bank).toMatchObject({
    ...{ at: '1970-01-01T00:00:01.000Z', kind: 'latency', subject: 'named_credential/bank', isFailed: true },
    facts: { until: '1970-01-01T00:01:01.000Z', sumMs: 90_004, delivered: 1, failed: 1, unknown: 0 },
  })
  const { counts } = bank!.facts as { counts: number[] }
  expect([counts[0], counts.at(-1), counts.length]).toEqual([1, 1, 14])
  expect(ledger).toMatchObject({ subject: 'named_credential/ledger', facts: { unknown: 1 } })
  expect(minutes.take('x')).toEqual([])
})

it('a client that exceeds its limit is one event, and its requests are counted', () => {
  const noted: NewTraceEvent[] = []
  const traffic = createClientTraffic(clock, (event) => noted.push(event))
  now = 1000
  for (let at = 0; at < 5; at += 1) traffic.noteRequest('shop')
  traffic.noteFailure('shop')
  traffic.noteThrottled('shop', 'limit.rate', 'c-1')
  traffic.noteThrottled('shop', 'limit.rate', 'c-2')
  expect(noted).toMatchObject([
    {
      kind: 'throttle',
      correlationId: 'c-1',
      subject: 'integration_client/shop',
      facts: { code: 'limit.rate' },
    },
  ])
  now = 61_000
  expect(traffic.take(clock())).toMatchObject([
    { kind: 'requests', isFailed: true, facts: { requests: 5, throttled: 2, failed: 1 } },
  ])
  expect(traffic.take(clock())).toEqual([])
})

it('credentials have a bounded number of series', () => {
  const counts = createCalloutCounts()
  for (let at = 0; at < 300; at += 1) counts.noteAttempt(`bank_${at}`, 'delivered', 1)
  for (let at = 0; at < 50; at += 1) counts.noteWithheld('bank_1', `code.${at}`)
  expect(counts.read().size).toBe(201)
  expect(counts.read().get('other')!.outcomes.delivered.counts[0]).toBe(100)
  expect(counts.read().get('bank_1')!.withheld.size).toBe(21)
})
