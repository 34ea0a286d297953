// The audit of what a job discards: it is written next to the job, and a process can end at any point.
import { beforeEach, expect, it } from 'vitest'
import type { RecordJob } from '../ports/record-jobs.ts'
import { newJob } from '../records/index.ts'
import { createDiscardAudit } from './discard-audit.ts'

let stored: RecordJob
let audited: string[]
const jobAudit = () =>
  createDiscardAudit({
    read: (work) => work({ job: async () => stored } as never),
    hasJobs: () => true,
    audit: async ({ actor }, { component, rationale }) =>
      void audited.push(`${actor} ${component} ${rationale}`),
  })

const part = (after: string, ...ids: string[]): RecordJob => ({
  ...newJob('job', '2026-01-01T00:00:00.000Z', {
    ...{ kind: 'outbox', object: '' as never, createdBy: 'ops', correlationId: 'c', scopePath: {} },
    outbox: {
      ...{ action: 'discard', filter: {}, upTo: 9, acceptRepeat: false, reason: 'r' },
      discarded: ids.map((id) => ({ id, credential: 'bank', record: null, problem: null })),
    },
  }),
  ...{ state: 'processing', after },
})
beforeEach(() => (audited = []))

it('names each discarded call once, with the reason', async () => {
  const audit = jobAudit()
  stored = part('0')
  for (const next of [part('2', 'a', 'b'), part('3', 'c'), part('3')]) {
    await audit.beforePart('job')
    stored = next
    await audit.afterPart(next)
  }
  expect(audited).toEqual(['ops outbox/a r', 'ops outbox/b r', 'ops outbox/c r'])
})

it('is completed by the next process if one ends after a part', async () => {
  await jobAudit().afterPart(part('2', 'a'))
  // The part is written, but the process ended before its audit.
  stored = part('3', 'b')
  const next = jobAudit()
  await next.beforePart('job')
  stored = part('4', 'c')
  await next.afterPart(stored)
  expect(audited).toEqual(['ops outbox/a r', 'ops outbox/b r', 'ops outbox/c r'])
})
