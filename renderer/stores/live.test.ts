import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { useLive } from './live.ts'

class FakeSource {
  static readonly CLOSED = 2
  static opened: FakeSource[] = []
  readonly readyState = FakeSource.CLOSED
  readonly listeners = new Map<string, () => void>()
  closed = false
  constructor() {
    FakeSource.opened.push(this)
  }
  addEventListener(kind: string, listener: () => void): void {
    this.listeners.set(kind, listener)
  }
  close(): void {
    this.closed = true
  }
}

beforeEach(() => {
  FakeSource.opened = []
  vi.useFakeTimers()
  vi.stubGlobal('EventSource', FakeSource)
  vi.stubGlobal('window', globalThis)
  // A stream of its own: `stream/shared-stream.test.ts` has the shared one.
  vi.stubGlobal('navigator', {})
  setActivePinia(createPinia())
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('a refused stream is opened again until it is stopped, and then only on request', () => {
  const live = useLive()
  live.listen()
  FakeSource.opened[0]!.listeners.get('error')!()
  vi.advanceTimersByTime(60_000)
  expect(FakeSource.opened).toHaveLength(2)
  FakeSource.opened[1]!.listeners.get('error')!()
  live.stop()
  FakeSource.opened[1]!.listeners.get('error')!()
  vi.advanceTimersByTime(60_000)
  expect([FakeSource.opened.length, FakeSource.opened[1]!.closed]).toEqual([2, true])
  live.listen()
  expect(FakeSource.opened).toHaveLength(3)
})

it('the first reads wait until the stream is open, or a second; a stream that opens later reports a gap', async () => {
  const live = useLive()
  const gap = vi.fn()
  live.onReconnect(gap)
  let started = false
  const start = live.start().then(() => (started = true))
  await vi.advanceTimersByTimeAsync(500)
  expect(started).toBe(false)
  FakeSource.opened[0]!.listeners.get('open')!()
  await start
  expect(gap).not.toHaveBeenCalled()

  setActivePinia(createPinia())
  const slow = useLive()
  slow.onReconnect(gap)
  const second = slow.start()
  await vi.advanceTimersByTimeAsync(1_000)
  await second
  expect(gap).not.toHaveBeenCalled()
  FakeSource.opened[1]!.listeners.get('open')!()
  expect(gap).toHaveBeenCalledTimes(1)
})
