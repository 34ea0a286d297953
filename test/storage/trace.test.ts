// The execution trace in storage, compared with a plain list: filters, pages and the removal of old events.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { initOrg } from '../../server/compose/open-org.ts'
import { orgFile } from '../../server/compose/org-folder.ts'
import type { RecordStore } from '../../server/ports/record-store.ts'
import type { TraceEvent, TraceFilter } from '../../server/ports/trace.ts'
import { openRecordStore } from '../../server/storage/sqlite/index.ts'

let dir: string
let store: RecordStore
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'almanac-trace-'))
  await initOrg(join(dir, 'org'), { name: 'Trace', environment: 'test' }).close()
  store = openRecordStore(orgFile(join(dir, 'org')))
})
afterEach(async () => {
  await store.close()
  rmSync(dir, { recursive: true, force: true })
})

const instant = (seconds: number): string => new Date(Date.UTC(2026, 0, 1) + seconds * 1000).toISOString()
const seconds = fc.integer({ min: 0, max: 9 })
const orNull = (values: readonly string[]) => fc.constantFrom(null, ...values)
const correlations = ['c', 'd']
const subjects = ['named_credential/bank', 'integration_client/shop']
const records = ['invoice/1', 'invoice/2']

const events = fc.array(
  fc.record({
    at: seconds.map(instant),
    correlationId: orNull(correlations),
    subject: orNull(subjects),
    record: orNull(records),
    isFailed: fc.boolean(),
    event: fc.constantFrom(
      { kind: 'throttle', facts: { code: 'limit.rate' } } as const,
      { kind: 'lost', facts: { events: 3 } } as const,
      { kind: 'breaker', facts: { from: 'open', to: 'closed', cause: 'probe_succeeded' } } as const,
    ),
  }),
  { maxLength: 40 },
)
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
const filters: fc.Arbitrary<TraceFilter> = fc.record({
  kinds: optional(fc.subarray(['throttle', 'lost', 'breaker'] as const, { minLength: 1 })),
  correlationId: optional(fc.constantFrom(...correlations)),
  subject: optional(fc.constantFrom(...subjects)),
  record: optional(fc.constantFrom(...records)),
  isFailed: optional(fc.boolean()),
  since: optional(seconds.map(instant)),
  until: optional(seconds.map(instant)),
})

const matches = (event: TraceEvent, filter: TraceFilter): boolean =>
  (filter.kinds?.includes(event.kind) ?? true) &&
  (filter.correlationId ?? event.correlationId) === event.correlationId &&
  (filter.subject ?? event.subject) === event.subject &&
  (filter.record ?? event.record) === event.record &&
  (filter.isFailed ?? event.isFailed) === event.isFailed &&
  event.at >= (filter.since ?? '') &&
  event.at < (filter.until ?? '~')

const newestFirst = (a: TraceEvent, b: TraceEvent): number => (`${a.at} ${a.id}` < `${b.at} ${b.id}` ? 1 : -1)

it('finds what a filter matches, page by page, and loses only what is old', async () => {
  await fc.assert(
    fc.asyncProperty(
      events,
      filters,
      fc.integer({ min: 1, max: 7 }),
      seconds,
      async (made, filter, size, age) => {
        await store.write((tx) => tx.purgeTrace('~', 1000))
        const all = made.map(({ event, ...rest }, at): TraceEvent => {
          const id = `0000000${at % 8}-${String(at).padStart(4, '0')}`
          return { ...rest, ...event, id, actor: null, durationMs: null }
        })
        await store.write((tx) => tx.appendTrace(all))
        const expected = all.filter((event) => matches(event, filter)).sort(newestFirst)
        const found: TraceEvent[] = []
        for (;;) {
          const before = found.at(-1)
          const page = await store.read((reader) => reader.trace(filter, size, before))
          found.push(...page)
          if (page.length < size) break
        }
        expect(found).toEqual(expected)
        const old = all.filter(({ at }) => at < instant(age)).length
        let removed = 0
        for (let part = size; part === size; removed += part)
          part = await store.write((tx) => tx.purgeTrace(instant(age), size))
        expect(removed).toBe(old)
        const left = await store.read((reader) => reader.trace({}, 1000))
        expect(left).toEqual(all.filter(({ at }) => at >= instant(age)).sort(newestFirst))
      },
    ),
    { numRuns: 60 },
  )
})
