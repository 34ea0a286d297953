// What is kept of bulk jobs, and for how long.
import { beforeEach, describe, expect, it } from 'vitest'
import type { IngestJob } from '../ports/ingest.ts'
import type { RecordReader } from '../ports/record-store.ts'
import { purgeIngests } from './ingest-retention.ts'

const now = '2026-03-31T12:00:00.000Z'
const daysAgo = (days: number): string => new Date(Date.parse(now) - days * 86_400_000).toISOString()

let jobs: Map<string, IngestJob>
/** Jobs of which parts are stored. */
let stored: Set<string>
beforeEach(() => {
  jobs = new Map()
  stored = new Set()
})

const add = (id: string, state: IngestJob['state'], days: number, more: Partial<IngestJob> = {}): void => {
  const hasEnded = !['open', 'queued', 'processing'].includes(state)
  const facts = { id, state, createdAt: daysAgo(days), finishedAt: hasEnded ? daysAgo(days) : null }
  jobs.set(id, { ...facts, isPurged: false, problem: null, ...more } as IngestJob)
  stored.add(id)
}
/** In the order of ids, as the store has them. */
const newestFirst = (): IngestJob[] => [...jobs.values()].sort((a, b) => (a.id < b.id ? 1 : -1))

const purge = (): Promise<void> =>
  purgeIngests({
    read: async (work) =>
      work({
        ingests: async ({ limit, before = '~' }: { limit: number; before?: string }) =>
          newestFirst()
            .filter(({ id }) => id < before)
            .slice(0, limit),
      } as unknown as RecordReader),
    writes: {
      end: async ({ id, state, problem }) => {
        const ended = { ...jobs.get(id)!, state, problem, finishedAt: now }
        jobs.set(id, ended)
        return ended
      },
      purge: async (id) => void jobs.set(id, { ...jobs.get(id)!, isPurged: true }),
    },
    parts: {
      jobs: async () => [...stored],
      removeAll: async (id: string) => void stored.delete(id),
    } as never,
    clock: { now: () => now, today: () => now.slice(0, 10) },
  })

describe('the parts of a job', () => {
  it.each(['queued', 'processing'] as const)('stay while it is %s, however old it is', async (state) => {
    add('old', state, 400)
    await purge()
    expect([stored.has('old'), jobs.get('old')]).toMatchObject([true, { state, isPurged: false }])
  })

  it.each(['failed', 'aborted'] as const)('of a job that is %s stay for 7 days', async (state) => {
    add('new', state, 6.9)
    add('old', state, 7.1)
    await purge()
    expect([...stored]).toEqual(['new'])
    expect([jobs.get('new')!.isPurged, jobs.get('old')!.isPurged]).toEqual([false, true])
  })

  it('count from the end of the job, and not from its beginning', async () => {
    add('long', 'failed', 30, { finishedAt: daysAgo(1) })
    await purge()
    expect([stored.has('long'), jobs.get('long')!.isPurged]).toEqual([true, false])
  })

  it('of a completed job are removed at once, and its results after 7 days', async () => {
    add('new', 'completed', 1)
    add('old', 'completed', 8)
    await purge()
    expect([...stored]).toEqual([])
    expect([jobs.get('new')!.isPurged, jobs.get('old')!.isPurged]).toEqual([false, true])
  })

  it('of a job that was never closed stay for 7 days, and 7 more after it was ended', async () => {
    add('new', 'open', 6)
    add('old', 'open', 8)
    await purge()
    expect(jobs.get('new')!.state).toBe('open')
    expect(jobs.get('old')).toMatchObject({
      state: 'aborted',
      problem: { code: 'ingest.state', message: 'The job was not closed within 7 days.' },
    })
    expect([...stored]).toEqual(['new'])
  })

  it('that no job knows are removed', async () => {
    stored.add('unknown')
    await purge()
    expect([...stored]).toEqual([])
  })

  it('are found beyond the first page of jobs', async () => {
    for (let at = 0; at < 450; at += 1) add(`job-${String(at).padStart(4, '0')}`, 'aborted', 8)
    add('aaaa', 'queued', 400)
    await purge()
    expect([...stored]).toEqual(['aaaa'])
    expect([...jobs.values()].filter(({ isPurged }) => isPurged)).toHaveLength(450)
  })
})
