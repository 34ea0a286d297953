// Which of the jobs that wait are processed: users take turns, then their clients, then the jobs of a client. And when
// their parts are removed.
import { afterEach, expect, it } from 'vitest'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { IngestJob, IngestPart } from '../ports/ingest.ts'
import type { IngestReply, IngestRows } from '../records/index.ts'
import { createIngestRunner, type IngestRunner } from './ingest-runner.ts'

interface Waiting {
  id: string
  user: string
  client: string
}

let runner: IngestRunner
let ends: Map<string, (job: null) => void>
afterEach(async () => {
  const closed = runner.close()
  for (const end of ends.values()) end(null)
  await closed
})

/** Runs jobs until `end` is called for them, and returns which have begun, in their order. */
function runJobs(waiting: Waiting[]): { begun: string[]; end(id: string): void } {
  const begun: string[] = []
  ends = new Map()
  const jobOf = ({ id, user, client }: Waiting): IngestJob =>
    ({ id, createdBy: user, client }) as Partial<IngestJob> as IngestJob
  const unused = (): never => {
    throw new Error('Not of this test.')
  }
  runner = createIngestRunner({
    waiting: async () => waiting.map(jobOf),
    writes: {
      start: (id) => {
        begun.push(id)
        return new Promise((resolve) => ends.set(id, resolve))
      },
      end: unused,
    },
    ...{ partsOf: unused, open: unused, removePart: unused, removeParts: unused, save: unused },
    ...{ activeGeneration: () => 1, noteUses: unused, counts: { noteRows: unused } },
    ...{ onProgress: unused, onError: (error) => expect.unreachable(String(error)) },
  })
  runner.wake()
  return {
    begun,
    end: (id) => {
      waiting.splice(
        waiting.findIndex((job) => job.id === id),
        1,
      )
      ends.get(id)!(null)
      ends.delete(id)
    },
  }
}

const many = (user: string, client: string): Waiting[] =>
  Array.from({ length: 9 }, (_, at) => ({ id: `${user}/${client}/${at}`, user, client }))
const one = (user: string, client: string): Waiting => ({ id: `${user}/${client}`, user, client })

it('a user with one job does not wait for the many jobs of another one', async () => {
  const { begun } = runJobs([...many('ada', 'shop'), one('bob', 'till')])
  await expect.poll(() => begun.length).toBe(4)
  expect(begun.slice(0, 2)).toEqual(['ada/shop/0', 'bob/till'])
})

it('nor does a client of a user for the many jobs of another client of that user', async () => {
  const jobs = [...many('ada', 'shop'), one('ada', 'ledger'), one('bob', 'till')]
  const { begun, end } = runJobs(jobs)
  await expect.poll(() => begun.length).toBe(4)
  expect(begun).toEqual(['ada/shop/0', 'bob/till', 'ada/ledger', 'ada/shop/1'])
  // A place that is free is for the user with fewer running jobs.
  jobs.push(one('cy', 'desk'))
  end('ada/shop/0')
  await expect.poll(() => begun.length).toBe(5)
  expect(begun.at(-1)).toBe('cy/desk')
  end('ada/ledger')
  await expect.poll(() => begun.length).toBe(6)
  expect(begun.at(-1)).toBe('ada/shop/2')
})

it('a part is removed once the batches that its rows are in are saved, and not before', async () => {
  ends = new Map()
  const job = { id: 'a', createdBy: 'ada', client: null, columns: [], erased: [] } as Partial<IngestJob>
  const saves: PromiseWithResolvers<IngestReply>[] = []
  const removed: string[] = []
  let read = 0
  runner = createIngestRunner({
    waiting: async () => (saves.length === 0 ? [job as IngestJob] : []),
    writes: {
      start: async () => job as IngestJob,
      end: () => Promise.reject(new Error('Not of this test.')),
    },
    partsOf: async () =>
      Array.from({ length: 6 }, (_, at) => ({ name: `part ${at}`, bytes: 100 }) as IngestPart),
    open: async () => ({
      next: async () => {
        const rows = read++
        // Each batch is one part, apart from the fourth one, which begins in the middle of one.
        const offset = rows === 3 ? 250 : rows * 100
        return { place: { offset, rows, lines: rows }, count: 1, isLast: rows === 5 } as IngestRows
      },
      close: async () => undefined,
    }),
    removePart: async ({ name }) => void removed.push(name),
    removeParts: async (id) => void removed.push(`all of ${id}`),
    save: () => {
      saves.push(Promise.withResolvers())
      return saves.at(-1)!.promise
    },
    ...{ activeGeneration: () => 1, noteUses: () => undefined, counts: { noteRows: () => undefined } },
    ...{ onProgress: () => undefined, onError: (error) => expect.unreachable(String(error)) },
  })
  runner.wake()
  await expect.poll(() => saves.length).toBe(3)
  const seen: string[][] = []
  for (let at = 0; at < 6; at += 1) {
    saves[at]!.resolve({ done: 1, failed: 0, generation: 1 })
    await new Promise((next) => setTimeout(next, 5))
    seen.push(removed.splice(0))
  }
  expect(seen).toEqual([['part 0'], ['part 1'], [], ['part 2', 'part 3'], [], ['all of a']])
})

it('after a batch that took too long, the next one of the job is sent alone, until one is finished in time', async () => {
  ends = new Map()
  const job = { id: 'a', createdBy: 'ada', client: null, columns: [], erased: [] } as Partial<IngestJob>
  const saves: PromiseWithResolvers<IngestReply>[] = []
  const removed: string[] = []
  let [isWaiting, read] = [true, 0]
  runner = createIngestRunner({
    waiting: async () => (isWaiting ? [job as IngestJob] : []),
    writes: {
      start: async () => job as IngestJob,
      end: () => Promise.reject(new Error('Not of this test.')),
    },
    partsOf: async () => [],
    open: async () => {
      read = 0
      return {
        next: async () => {
          read += 1
          return {
            place: { offset: read, rows: read, lines: read },
            count: 2,
            isLast: read === 3,
          } as IngestRows
        },
        close: async () => undefined,
      }
    },
    removePart: () => expect.unreachable(),
    removeParts: async (id) => void removed.push(id),
    save: () => {
      saves.push(Promise.withResolvers())
      return saves.at(-1)!.promise
    },
    ...{ activeGeneration: () => 1, noteUses: () => undefined, counts: { noteRows: () => undefined } },
    ...{ onProgress: () => undefined, onError: (error) => expect.unreachable(String(error)) },
  })
  const settled = (): Promise<void> => new Promise((next) => setTimeout(next, 20))
  runner.wake()
  await expect.poll(() => saves.length).toBe(3)
  saves[0]!.resolve({ done: 1, failed: 0, generation: 1 })
  for (const { reject } of saves.slice(1)) reject(new AlmanacError('ingest.state', 'It is somewhere else.'))
  await expect.poll(() => saves.length).toBe(4)
  await settled()
  expect(saves).toHaveLength(4)
  saves[3]!.resolve({ done: 1, failed: 0, generation: 1 })
  await expect.poll(() => saves.length).toBe(5)
  await settled()
  expect(saves).toHaveLength(5)
  saves[4]!.resolve({ done: 2, failed: 0, generation: 1 })
  await expect.poll(() => saves.length).toBe(7)
  expect(removed).toEqual([])
  isWaiting = false
  for (const { resolve } of saves) resolve({ done: 2, failed: 0, generation: 1 })
  await expect.poll(() => removed).toEqual(['a'])
})

it('the parts of a job stay if its last batch was sent alone and took too long', async () => {
  ends = new Map()
  const job = { id: 'a', createdBy: 'ada', client: null, columns: [], erased: [] } as Partial<IngestJob>
  const removed: string[] = []
  let saved = 0
  runner = createIngestRunner({
    waiting: async () => (saved < 3 ? [job as IngestJob] : []),
    writes: {
      start: async () => job as IngestJob,
      end: () => Promise.reject(new Error('Not of this test.')),
    },
    partsOf: async () => [],
    open: async () => ({
      next: async () => ({ place: { offset: 0, rows: 0, lines: 0 }, count: 2, isLast: true }) as IngestRows,
      close: async () => undefined,
    }),
    removePart: () => expect.unreachable(),
    removeParts: async (id) => void removed.push(`${id} after ${saved}`),
    save: async () => ({ done: (saved += 1) < 3 ? 1 : 2, failed: 0, generation: 1 }),
    ...{ activeGeneration: () => 1, noteUses: () => undefined, counts: { noteRows: () => undefined } },
    ...{ onProgress: () => undefined, onError: (error) => expect.unreachable(String(error)) },
  })
  runner.wake()
  await expect.poll(() => removed).toEqual(['a after 3'])
})
