// Steps of jobs beside changes: rights of the user who started the job, and servers that do not know the newest generation yet.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { enginesOf, type Engines } from '../../server/compose/engines.ts'
import { initOrg, openOrg, type OpenedOrg } from '../../server/compose/open-org.ts'
import { billing, type Bodies } from '../../server/kernel/records/fixture.ts'
import type { RecordJob } from '../../server/ports/record-jobs.ts'
import type { CommandItem } from '../../server/records/index.ts'
import { billingComponents, clerk } from '../support/billing-org.ts'
import { buildComponent } from '../support/metadata.ts'
import { fieldsOf } from './bodies.ts'

let dir: string
let org: OpenedOrg
let engines: Engines
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'almanac-job-steps-'))
  org = initOrg(join(dir, 'org'), { name: 'Steps', environment: 'test' })
  const system = { systemPermissions: ['operations.manage'] }
  await deploy([...[...billingComponents(), clerk()], buildComponent('permission_set', 'operators', system)])
  await userWith('administrator', 'clerk', 'operators')
  engines = enginesOf(org)
  await engines.records.save({
    ...{ ...sender(), allOrNone: true, reply: 'ids' },
    items: [1, 2, 3].map((net): CommandItem => ({
      ...{ op: 'insert', object: 'invoice' },
      fields: { number: `J-${net}`, tax_point: '2022-01-01', net: String(net) },
    })),
  })
})
afterEach(async () => {
  await org.close()
  rmSync(dir, { recursive: true, force: true })
})

const deploy = (components: readonly object[]) =>
  org.apply({
    source: { kind: 'components', components: components as never },
    actor: 'admin',
    rationale: 'x',
  })

const sender = () => ({
  ...{ user: 'cleo', correlationId: 'c', scopePath: {}, generation: org.activeGeneration() },
})

async function userWith(...permissionSets: string[]): Promise<void> {
  const active = permissionSets.length > 0
  await org.write((transactor) =>
    transactor.people.putUser({
      ...{ key: 'cleo', name: 'Cleo', active, locale: null, passwordHash: null },
      ...{ groups: [], permissionSets },
    }),
  )
}

const step = (id: string): Promise<RecordJob> =>
  org.records.jobs.step({ id, generation: org.activeGeneration() })

it.each(['recompute', 'rebind', 'replay'] as const)(
  'a job that does a %s fails if its user loses the rights for it',
  async (kind) => {
    for (const permissionSets of [['operators'], []]) {
      await userWith('administrator', 'clerk', 'operators')
      const job = await org.records.jobs.create({ ...sender(), kind, object: 'invoice' })
      await userWith(...permissionSets)
      expect(await step(job.id)).toMatchObject({
        ...{ state: 'failed', done: 0 },
        problem: { code: 'access.denied' },
      })
    }
  },
)

it('a server that does not know the generation yet fills the fields that it has added', async () => {
  const late = openOrg(join(dir, 'org'))
  const before = late.activeGeneration()
  const all: Bodies = billing()
  const invoice = all['object/invoice'] as object
  const twice = {
    ...{ key: 'twice', type: 'number', precision: 12, scale: 2 },
    formula: { expression: 'net * 2', stored: true },
  }
  const fields = [...fieldsOf(all, 'invoice'), twice]
  await deploy([{ type: 'object', key: 'invoice', label: 'invoice', body: { ...invoice, fields } }])
  await org.records.jobs.createFills({ generation: org.activeGeneration(), user: 'admin' })
  const [fill] = await org.records.store().read((reader) => reader.openJobs())
  expect([late.activeGeneration(), org.activeGeneration()]).toEqual([before, before + 1])
  // A step ends when its time is used up.
  const next = async (): Promise<string> =>
    (await late.records.jobs.step({ id: fill!.id, generation: before })).state
  await expect.poll(next).toBe('completed')
  await late.close()
  const { names } = org.records.snapshots.active()
  const id = names.fieldIds('invoice').get('twice')!
  const { hits } = await org.records.store().read((reader) =>
    reader.query({
      ...{ object: names.objectId('invoice')!, anyOf: [{ op: 'constant', value: true }], orderBy: [] },
      ...{ where: { op: 'constant', value: true }, after: null, limit: 9 },
    }),
  )
  expect(hits.map(({ record }) => record.values.get(id))).toEqual(['2.00', '4.00', '6.00'])
})
