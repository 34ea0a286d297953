import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { RecordJob } from '../../ports/record-jobs.ts'
import { createJobRunner, type JobRunner } from './job-runner.ts'

/** Jobs by their ID, with the number of steps that are left. */
class Jobs {
  readonly left: Map<string, number>
  readonly steps: string[] = []
  readonly errors: unknown[] = []
  readonly runner: JobRunner
  failing = new Set<string>()
  isUnreadable = false

  constructor(left: Record<string, number>) {
    this.left = new Map(Object.entries(left))
    const jobOf = (id: string): RecordJob =>
      ({ id, state: this.left.get(id) === 0 ? 'completed' : 'processing' }) as RecordJob
    this.runner = createJobRunner({
      openJobs: async () => {
        if (this.isUnreadable) throw new Error('unreadable')
        return [...this.left].flatMap(([id, steps]) => (steps > 0 ? [jobOf(id)] : []))
      },
      step: async (id) => {
        this.steps.push(id)
        if (this.failing.has(id)) throw new Error(id)
        this.left.set(id, this.left.get(id)! - 1)
        return jobOf(id)
      },
      onStep: () => undefined,
      onError: (error) => void this.errors.push(error),
    })
  }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('jobs over records', () => {
  it('take turns, so that a short job does not wait for the end of a long one', async () => {
    const jobs = new Jobs({ long: 5, short: 1 })
    jobs.runner.wake()
    await vi.advanceTimersByTimeAsync(0)
    expect(jobs.steps).toEqual(['long', 'short', 'long', 'long', 'long', 'long'])
  })

  it('that fail unexpectedly rest for longer each time, while the others continue', async () => {
    const jobs = new Jobs({ bad: 1, good: 3 })
    jobs.failing.add('bad')
    jobs.runner.wake()
    await vi.advanceTimersByTimeAsync(0)
    expect(jobs.steps).toEqual(['bad', 'good', 'good', 'good'])
    await vi.advanceTimersByTimeAsync(250)
    expect(jobs.errors).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(499)
    expect(jobs.errors).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(10 * 60_000)
    expect(jobs.errors.length).toBeLessThan(20)
    jobs.failing.clear()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(jobs.left.get('bad')).toBe(0)
  })

  it('that rest do not begin again because another job was created', async () => {
    const jobs = new Jobs({ bad: 1 })
    jobs.failing.add('bad')
    jobs.runner.wake()
    await vi.advanceTimersByTimeAsync(0)
    jobs.left.set('new', 1)
    jobs.runner.wake()
    await vi.advanceTimersByTimeAsync(0)
    expect(jobs.steps).toEqual(['bad', 'new'])
  })

  it('that another process has left are found', async () => {
    const jobs = new Jobs({})
    jobs.left.set('left', 2)
    await vi.advanceTimersByTimeAsync(9999)
    expect(jobs.steps).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(jobs.steps).toEqual(['left', 'left'])
  })

  it('continue after the list of jobs could not be read', async () => {
    const jobs = new Jobs({ one: 1 })
    jobs.isUnreadable = true
    jobs.runner.wake()
    await vi.advanceTimersByTimeAsync(0)
    expect([jobs.steps, jobs.errors]).toEqual([[], [expect.any(Error)]])
    jobs.isUnreadable = false
    await vi.advanceTimersByTimeAsync(10_000)
    expect(jobs.steps).toEqual(['one'])
  })

  it('begin no step after the end of the runner', async () => {
    const jobs = new Jobs({ one: 100 })
    jobs.failing.add('one')
    jobs.runner.wake()
    await vi.advanceTimersByTimeAsync(0)
    await jobs.runner.close()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(jobs.steps).toEqual(['one'])
  })
})
