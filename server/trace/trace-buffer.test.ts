import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { NewTraceEvent, TraceEvent } from '../ports/trace.ts'
import { createTraceBuffer } from './trace-buffer.ts'

const at = '2026-01-01T00:00:00.000Z'
const event: NewTraceEvent = {
  ...{ at, kind: 'throttle', correlationId: 'c', subject: 'integration_client/shop', record: null },
  ...{ actor: null, isFailed: true, durationMs: null, facts: { code: 'limit.rate' } },
}
let written: TraceEvent[][]
let isBroken = false
let errors = 0
/** Called at the end of each write. */
let afterWrite = (): void => undefined
const newBuffer = () => {
  let made = 0
  return createTraceBuffer({
    write: async (events) => {
      if (isBroken) throw new Error('The disk is full.')
      written.push([...events])
      afterWrite()
    },
    clock: { now: () => at, today: () => '2026-01-01' },
    ids: { uuid: () => String((made += 1)).padStart(6, '0') },
    onError: () => (errors += 1),
  })
}
beforeEach(() => {
  vi.useFakeTimers()
  written = []
  isBroken = false
  errors = 0
  afterWrite = () => undefined
})
afterEach(() => void vi.useRealTimers())

describe('events of the trace', () => {
  it('of a second are written together', async () => {
    const buffer = newBuffer()
    for (let count = 0; count < 3; count += 1) buffer.note(event)
    await vi.advanceTimersByTimeAsync(900)
    expect(written).toEqual([])
    await vi.advanceTimersByTimeAsync(200)
    expect(written.map((batch) => batch.map(({ id }) => id))).toEqual([['000001', '000002', '000003']])
  })

  it('are written in parts, and all of them by a flush', async () => {
    const buffer = newBuffer()
    for (let count = 0; count < 1200; count += 1) buffer.note(event)
    await buffer.flush()
    expect(written.map((batch) => batch.length)).toEqual([500, 500, 200])
    expect(new Set(written.flat().map(({ id }) => id)).size).toBe(1200)
  })

  it('that are noted during a write wait for others, too', async () => {
    const buffer = newBuffer()
    afterWrite = () => {
      if (written.length === 1) for (let count = 0; count < 2; count += 1) buffer.note(event)
    }
    buffer.note(event)
    await vi.advanceTimersByTimeAsync(1000)
    expect(written.map((batch) => batch.length)).toEqual([1])
    await vi.advanceTimersByTimeAsync(1000)
    expect(written.map((batch) => batch.length)).toEqual([1, 2])
  })

  it('wait while nothing can be written, and those that find no room are counted on the trace', async () => {
    const buffer = newBuffer()
    isBroken = true
    for (let count = 0; count < 10_007; count += 1) buffer.note(event)
    await buffer.flush()
    expect([errors, buffer.lost(), written.length]).toEqual([1, 7, 0])
    isBroken = false
    await vi.advanceTimersByTimeAsync(6000)
    expect(written.flat()).toHaveLength(10_000)
    buffer.note(event)
    await buffer.flush()
    expect(written.at(-1)!.map(({ kind, facts }) => [kind, facts])).toEqual([
      ['throttle', { code: 'limit.rate' }],
      ['lost', { events: 7 }],
    ])
    buffer.note(event)
    await buffer.flush()
    expect(written.at(-1)).toHaveLength(1)
    expect(buffer.lost()).toBe(7)
  })
})
