// Formulas that read along a reference which leads back to the same record see it as the save leaves it.
import { expect, it } from 'vitest'
import { Generations } from '../../server/kernel/records/fixture.ts'
import { runSaves, type RecordDeps, type SaveItem } from '../../server/records/index.ts'
import { createMemoryRecordStore } from '../../server/storage/sqlite/records/open-record-store.ts'
import { rootAccess } from './access.ts'

const number = { type: 'number', precision: 12, scale: 2 }
const stored = (key: string, expression: string): object => ({
  ...{ key, ...number },
  formula: { expression, stored: true },
})
const task = {
  fields: [
    { key: 'parent', type: 'reference', references: 'task' },
    { key: 'lead', type: 'reference', references: 'team' },
    { key: 'hours', ...number },
    // Declared before what they read.
    stored('above', 'parent.cost + 1'),
    stored('around', 'lead.first.cost'),
    stored('cost', 'hours * 2'),
    { key: 'late', ...number, formula: { expression: 'parent.hours', stored: false } },
    stored('later', 'late * 3'),
  ],
  validationRules: [{ key: 'most', when: 'parent.cost > 1000', message: 'Too much.' }],
}
const team = { fields: [{ key: 'first', type: 'reference', references: 'task' }] }

const generations = new Generations()
const present = generations.add({ 'object/task': task, 'object/team': team })
const deps: RecordDeps = {
  store: createMemoryRecordStore(),
  snapshots: { active: () => present, at: (generation) => generations.at(generation) },
  clock: { now: () => '2026-01-01T00:00:00.000Z' } as RecordDeps['clock'],
  ids: { uuid: () => crypto.randomUUID() },
}

async function save(item: SaveItem): Promise<{ id: string; read: (...keys: string[]) => unknown[] }> {
  const [outcome] = await runSaves(deps, {
    ...{ generation: present.generation, actor: 'ada', access: rootAccess(present), correlationId: 'c' },
    ...{ scopePath: {}, allOrNone: true, items: [item] },
  })
  if (!outcome!.ok) throw outcome!.error
  const record = outcome!.record!
  const ids = present.names.fieldIds(item.object)
  return { id: record.id, read: (...keys) => keys.map((key) => record.values.get(ids.get(key)!) ?? null) }
}
const update = (object: string, id: string, values: object) =>
  save({ op: 'update', object, id, version: null, values: { ...values } })

it('follows a reference to the record itself within one save', async () => {
  const { id } = await save({ op: 'insert', object: 'task', values: { hours: '1' } })
  expect((await update('task', id, { parent: id, hours: '10' })).read('cost', 'above', 'later')).toEqual([
    ...['20.00', '21.00', '30.00'],
  ])
  expect((await update('task', id, { hours: '50' })).read('cost', 'above', 'later')).toEqual([
    ...['100.00', '101.00', '150.00'],
  ])
  // Rules see it, too.
  await expect(update('task', id, { hours: '501' })).rejects.toMatchObject({ code: 'record.invalid' })
})

it('follows references that lead back over a different record', async () => {
  const { id } = await save({ op: 'insert', object: 'task', values: { hours: '1' } })
  const { id: lead } = await save({ op: 'insert', object: 'team', values: { first: id } })
  expect((await update('task', id, { lead, hours: '7' })).read('cost', 'around')).toEqual(['14.00', '14.00'])
})
