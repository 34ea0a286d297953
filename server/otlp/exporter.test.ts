import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Span } from '../ports/spans.ts'
import { createSpanExporter, type ExportResult, type SpanExporter } from './exporter.ts'
import type { IdentifiedSpan } from './otlp-json.ts'

const span = (correlationId = 'c', more: Partial<Span> = {}): Span => ({
  ...{ name: 'save', kind: 'internal', correlationId, startedAt: 0, durationMs: 1 },
  ...{ isFailed: false, attributes: {}, ...more },
})

let sent: IdentifiedSpan[][]
let results: ExportResult[]
let failures: string[]
/** What the collector waits for. */
let gate: Promise<void> | null
const accepted: ExportResult = { kind: 'accepted', rejected: 0 }
const newExporter = (): SpanExporter =>
  createSpanExporter({
    send: async (spans) => {
      sent.push([...spans])
      await gate
      return results.shift() ?? accepted
    },
    random: { bytes: (count) => randomBytes(count) },
    onFailure: (reason) => failures.push(reason),
  })
beforeEach(() => {
  vi.useFakeTimers()
  sent = []
  results = []
  failures = []
  gate = null
})
afterEach(() => void vi.useRealTimers())

describe('spans', () => {
  it('of a second are sent together, and many of them in batches', async () => {
    const exporter = newExporter()
    for (let at = 0; at < 3; at += 1) exporter.note(span())
    await vi.advanceTimersByTimeAsync(900)
    expect(sent).toEqual([])
    await vi.advanceTimersByTimeAsync(200)
    expect(sent.map(({ length }) => length)).toEqual([3])
    for (let at = 0; at < 600; at += 1) exporter.note(span())
    await vi.advanceTimersByTimeAsync(2000)
    expect(sent.slice(1).reduce((sum, { length }) => sum + length, 0)).toBe(600)
    expect(Math.max(...sent.map(({ length }) => length))).toBe(256)
    expect(exporter.read()).toEqual({ queued: 0, exported: 603, dropped: 0, rejected: 0, failures: 0 })
  })

  it('that are noted while a batch is sent are sent too', async () => {
    const exporter = newExporter()
    const opened = Promise.withResolvers<void>()
    gate = opened.promise
    for (let at = 0; at < 256; at += 1) exporter.note(span())
    exporter.note(span())
    opened.resolve()
    await vi.advanceTimersByTimeAsync(0)
    exporter.note(span())
    await vi.advanceTimersByTimeAsync(1000)
    expect(sent.flat()).toHaveLength(258)
    expect(new Set(sent.flat().map(({ id }) => id)).size).toBe(258)
  })

  it('belong to the latest request of their correlation id', async () => {
    const exporter = newExporter()
    const [first, second] = [exporter.begin('a'), exporter.begin('b')]
    exporter.note(span('a'))
    exporter.note(span('b'))
    exporter.note(span('other'))
    exporter.note(span('a', { id: first, kind: 'server' }))
    await exporter.close()
    expect(sent.flat().map(({ parentId }) => parentId)).toEqual([first, second, null, null])
    expect(sent.flat()[3]!.id).toBe(first)
  })

  it('wait longer and longer for a collector that fails, which is reported once', async () => {
    const exporter = newExporter()
    results = Array.from({ length: 4 }, () => ({ kind: 'retry', reason: 'unreachable' }))
    exporter.note(span())
    const times: number[] = []
    for (let second = 0; second < 40; second += 1) {
      await vi.advanceTimersByTimeAsync(1000)
      while (times.length < sent.length) times.push(second)
      // New spans do not make it ask sooner.
      exporter.note(span())
    }
    expect(times.slice(0, 5)).toEqual([0, 1, 3, 7, 15])
    expect(failures).toEqual(['unreachable'])
    expect(exporter.read()).toMatchObject({ failures: 4, dropped: 0 })
    // After a success, the next failure is reported again.
    results = [{ kind: 'retry', reason: 'status 503' }]
    await vi.advanceTimersByTimeAsync(3000)
    expect(failures).toEqual(['unreachable', 'status 503'])
  })

  it('wait as long as the collector asks, and at most a minute', async () => {
    const exporter = newExporter()
    results = [
      { kind: 'retry', reason: 'status 429', afterMs: 20_000 },
      { kind: 'retry', reason: 'status 429', afterMs: 1e12 },
    ]
    exporter.note(span())
    await vi.advanceTimersByTimeAsync(20_900)
    expect(sent).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(200)
    expect(sent).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(sent).toHaveLength(3)
  })

  it('that find no place are dropped and counted', async () => {
    const exporter = newExporter()
    results = Array.from({ length: 99 }, () => ({ kind: 'retry', reason: 'timeout' }))
    for (let at = 0; at < 8200; at += 1) exporter.note(span())
    await vi.advanceTimersByTimeAsync(1000)
    expect(exporter.read()).toMatchObject({ queued: 8192, dropped: 8 })
    const closing = exporter.close()
    await vi.advanceTimersByTimeAsync(3000)
    await closing
    expect(exporter.read()).toMatchObject({ queued: 0, exported: 0, dropped: 8200 })
    exporter.note(span())
    expect(exporter.read()).toMatchObject({ queued: 0, dropped: 8201 })
  })

  it('that are refused are not sent again, and those that are rejected are counted', async () => {
    const exporter = newExporter()
    results = [
      { kind: 'refused', reason: 'status 400' },
      { kind: 'accepted', rejected: 1 },
    ]
    for (const id of ['a', 'b']) exporter.note(span(id))
    await vi.advanceTimersByTimeAsync(1000)
    for (const id of ['c', 'd']) exporter.note(span(id))
    await vi.advanceTimersByTimeAsync(1000)
    expect(exporter.read()).toEqual({ queued: 0, exported: 1, dropped: 2, rejected: 1, failures: 1 })
  })

  it('do not hold up a closing server whose collector does not answer', async () => {
    const exporter = newExporter()
    gate = new Promise(() => undefined)
    exporter.note(span())
    let isClosed = false
    void exporter.close().then(() => (isClosed = true))
    await vi.advanceTimersByTimeAsync(2900)
    expect(isClosed).toBe(false)
    await vi.advanceTimersByTimeAsync(200)
    expect(isClosed).toBe(true)
  })
})
