// Which of the jobs that wait are processed: users take turns, then their clients, then the jobs of a client.
import { afterEach, expect, it } from 'vitest'
import type { IngestJob } from '../ports/ingest.ts'
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
