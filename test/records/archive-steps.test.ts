// Steps of a job that archives: each is bounded, and keeps what it has made if the next value fails.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { enginesOf, type Engines } from '../../server/compose/engines.ts'
import { effectiveAccess } from '../../server/access/index.ts'
import { initOrg, type OpenedOrg } from '../../server/compose/open-org.ts'
import { billing } from '../../server/kernel/records/fixture.ts'
import type { RecordJob } from '../../server/ports/record-jobs.ts'
import type { CommandItem } from '../../server/records/index.ts'
import type { SaveCommand } from '../../server/records/commands/save-command.ts'
import { runArchiveStep, type ArchiveStepParts } from '../../server/records/archive/archive-step.ts'
import { fieldsOf } from './bodies.ts'
import { billingComponents, clerk } from '../support/billing-org.ts'
import { buildComponent } from '../support/metadata.ts'

const perRecord = 3
const mebibyte = 1024 * 1024

let dir: string
let org: OpenedOrg
let engines: Engines
let invoices: string[]
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'almanac-archive-steps-'))
  org = initOrg(join(dir, 'org'), { name: 'Steps', environment: 'test' })
  const operators = buildComponent('permission_set', 'operators', {
    systemPermissions: ['operations.manage'],
  })
  const bodies = billing()
  const fields = fieldsOf(bodies, 'invoice').filter(({ rollup }) => rollup === undefined)
  const formulas = { ...bodies, 'object/invoice': { fields } }
  const components = [...billingComponents(formulas), clerk(formulas), operators] as (typeof operators)[]
  await org.apply({ source: { kind: 'components', components }, actor: 'admin' })
  await org.write((transactor) =>
    transactor.people.putUser({
      ...{ key: 'cleo', name: 'Cleo', active: true, locale: null, passwordHash: null },
      ...{ groups: [], permissionSets: ['administrator', 'clerk', 'operators'] },
    }),
  )
  engines = enginesOf(org)
  invoices = await inserted(4)
})
afterEach(async () => {
  await org.close()
  rmSync(dir, { recursive: true, force: true })
})

async function inserted(many: number, from = 0): Promise<string[]> {
  const { results } = await engines.records.save({
    ...command(),
    items: Array.from({ length: many }, (_, index): CommandItem => ({
      ...{ op: 'insert', object: 'invoice' },
      fields: { number: `K-${from + index}`, tax_point: '2022-01-01', net: String(index) },
    })),
  })
  return results.map((each) => (each as { id: string }).id)
}

function command(): Omit<SaveCommand, 'items'> {
  const user = { user: 'cleo', correlationId: 'c', scopePath: {} }
  return { ...user, generation: org.activeGeneration(), allOrNone: true, reply: 'ids' }
}

async function touched(id: string): Promise<void> {
  const item = { op: 'update', object: 'invoice', id, fields: { state: 'paid' } } as const
  await engines.records.save({ ...command(), items: [item] })
}

async function started(): Promise<RecordJob> {
  const { user, correlationId, scopePath, generation } = command()
  return org.records.jobs.create({
    ...{ kind: 'archive', object: 'invoice', boundBefore: 99 },
    ...{ user, correlationId, scopePath, generation },
  })
}

/** @param evidence makes a bundle of the record */
function partsWith(evidence: (record: string) => Promise<string>, elapsed = () => 0): ArchiveStepParts {
  const { store, snapshots, accessOf, jobs } = org.records
  const archive: ArchiveStepParts['archive'] = (sent) => jobs.archive(sent)
  return { store, snapshots, accessOf, archive, elapsed, evidence: (_by, { id }) => evidence(id) }
}

/** A bundle of so many characters. */
let made = 0
const bundleOf = (chars: number): string =>
  JSON.stringify({ components: [], sets: [], number: (made += 1), text: 'x'.repeat(chars) })
const step = (parts: ArchiveStepParts, job: RecordJob): Promise<RecordJob> =>
  runArchiveStep(parts, job, org.activeGeneration())
const stored = async (job: RecordJob): Promise<number> => {
  const fields = await org.records.store().read((reader) => reader.countEvidence(job.id))
  return fields.reduce((sum, { count }) => sum + count, 0)
}

describe('an export of an archive', () => {
  it('fails once the archive is removed, so that a part is not taken for the whole', async () => {
    await inserted(6, 4)
    let job = await started()
    while (job.finishedAt === null)
      job = await engines.records.runStep({ id: job.id, generation: org.activeGeneration() })
    expect(await stored(job)).toBe(10 * perRecord)
    const access = org.store.read((reader) =>
      effectiveAccess(reader, 'cleo', org.records.snapshots.active().view),
    )
    const caller = { access, generation: org.activeGeneration(), scopePath: {} }
    const { archives } = engines.records
    const exported = (await archives.evidence(caller, job.id))[Symbol.asyncIterator]()
    expect(await exported.next()).toMatchObject({ done: false })
    await archives.remove(caller, { actor: 'cleo', correlationId: 'c' }, job.id)
    const rest = async (): Promise<void> => {
      for (let isDone = false; !isDone;) isDone = (await exported.next()).done === true
    }
    await expect(rest()).rejects.toMatchObject({ code: 'record.archive_not_found' })
  })
})

describe('a step of an archive', () => {
  it('ends after 4 MiB of bundles, in a record too, and the next one continues with the next field', async () => {
    let job = await started()
    const parts = partsWith(async () => bundleOf(3 * mebibyte))
    const counts: number[] = []
    while (job.finishedAt === null) {
      job = await step(parts, job)
      counts.push(await stored(job))
    }
    expect(counts).toEqual([2, 4, 6, 8, 10, 12])
    expect(job).toMatchObject({ state: 'completed', done: 4, changed: 4, part: null })
  })

  it('ends after 100 ms', async () => {
    let now = 0
    const job = await started()
    const slow = async (): Promise<string> => {
      now += 60
      return bundleOf(10)
    }
    await step(
      partsWith(slow, () => now),
      job,
    )
    expect(await stored(job)).toBe(2)
  })

  it('keeps what was made before a record that was changed in the meantime, which the next step takes again', async () => {
    const job = await started()
    const changed = invoices.toSorted()[2]!
    let isTouched = false
    const parts = partsWith(async (record) => {
      if (record === changed && !isTouched) {
        isTouched = true
        await touched(record)
      }
      return bundleOf(10)
    })
    const first = await step(parts, job)
    expect(first).toMatchObject({ state: 'processing', done: 2, changed: 2, failed: 0 })
    expect(await step(parts, first)).toMatchObject({ state: 'completed', done: 4, changed: 4, failed: 0 })
    expect(await stored(job)).toBe(4 * perRecord)
  })

  it('names a record that is changed each time, and the job goes on', async () => {
    let job = await started()
    const changed = invoices.toSorted()[1]!
    const parts = partsWith(async (record) => {
      if (record === changed) await touched(record)
      return bundleOf(10)
    })
    for (let steps = 0; job.finishedAt === null; steps += 1) {
      expect(steps).toBeLessThan(20)
      job = await step(parts, job)
    }
    expect(job).toMatchObject({ state: 'completed', done: 4, changed: 3, failed: 1 })
    expect(job.failures).toMatchObject([{ record: changed, code: 'conflict.stale_version' }])
  })

  it('keeps what was made before an unexpected error, and gives up the value after some attempts', async () => {
    let job = await started()
    const broken = invoices.toSorted()[1]!
    const parts = partsWith(async (record) => {
      if (record === broken) throw new Error('memory')
      return bundleOf(10)
    })
    await expect(step(parts, job)).rejects.toThrow('memory')
    expect(await stored(job)).toBe(perRecord)
    let errors = 1
    while (job.finishedAt === null) {
      expect(errors).toBeLessThan(50)
      await step(parts, job).catch(() => (errors += 1))
      job = (await org.records.store().read((reader) => reader.job(job.id)))!
    }
    expect(job).toMatchObject({ state: 'completed', done: 4, changed: 3, failed: 1 })
    expect(job.failures.every(({ code }) => code === 'internal.error')).toBe(true)
    expect(JSON.stringify(job.failures)).not.toContain('memory')
  })

  it('stores nothing after the job was ended', async () => {
    const job = await started()
    const parts = partsWith(async () => {
      await org.records.jobs.abort(job.id)
      return bundleOf(10)
    })
    expect(await step(parts, job)).toMatchObject({ state: 'aborted', done: 0 })
    expect(await stored(job)).toBe(0)
  })
})
