// Expressions that read along a reference which is a formula see the record to which it leads after the save.
import { expect, it } from 'vitest'
import { Generations } from '../../server/kernel/records/fixture.ts'
import { runSaves, type RecordDeps, type SaveItem } from '../../server/records/index.ts'
import { createMemoryRecordStore } from '../../server/storage/sqlite/records/open-record-store.ts'
import { rootAccess } from './access.ts'

const number = { type: 'number', precision: 12, scale: 2 }
const reference = (key: string, expression: string): object => ({
  ...{ key, type: 'reference', references: 'customer' },
  formula: { expression, stored: true },
})
const generations = new Generations()
const present = generations.add({
  'object/customer': {
    fields: [
      { key: 'rate', ...number },
      { key: 'parent', type: 'reference', references: 'customer' },
    ],
  },
  'object/bill': {
    fields: [
      { key: 'customer', type: 'reference', references: 'customer' },
      { key: 'other', type: 'reference', references: 'customer' },
      { key: 'charged', ...number, formula: { expression: 'payer.rate', stored: true } },
      { key: 'above', ...number, formula: { expression: 'head.rate', stored: true } },
      reference('head', 'payer.parent'),
      reference('payer', 'present(other) ? other : customer'),
    ],
    validationRules: [{ key: 'most', when: 'payer.rate > 100', message: 'Too much.' }],
  },
})
const deps: RecordDeps = {
  store: createMemoryRecordStore(),
  snapshots: { active: () => present, at: (generation) => generations.at(generation) },
  clock: { now: () => '2026-01-01T00:00:00.000Z' } as RecordDeps['clock'],
  ids: { uuid: () => crypto.randomUUID() },
}

async function save(item: SaveItem): Promise<{ id: string; values: unknown[] }> {
  const [outcome] = await runSaves(deps, {
    ...{ generation: present.generation, actor: 'ada', access: rootAccess(present), correlationId: 'c' },
    ...{ scopePath: {}, allOrNone: true, items: [item] },
  })
  if (!outcome!.ok) throw outcome!.error
  const record = outcome!.record!
  const ids = present.names.fieldIds(item.object)
  return {
    id: record.id,
    values: ['charged', 'above'].map((key) => record.values.get(ids.get(key)!) ?? null),
  }
}
const insert = (object: string, values: Record<string, unknown>) => save({ op: 'insert', object, values })
const update = (id: string, values: Record<string, unknown>) =>
  save({ op: 'update', object: 'bill', id, version: null, values })

it('reads along references that are formulas, in the save that changes them', async () => {
  const { id: head } = await insert('customer', { rate: '9' })
  const { id: one } = await insert('customer', { rate: '1', parent: head })
  const { id: two } = await insert('customer', { rate: '2', parent: one })
  const { id: three } = await insert('customer', { rate: '300' })
  const { id, values } = await insert('bill', { customer: one })
  expect(values).toEqual(['1.00', '9.00'])
  expect((await update(id, { other: two })).values).toEqual(['2.00', '1.00'])
  // Rules see it, too.
  await expect(update(id, { other: three })).rejects.toMatchObject({ code: 'record.invalid' })
  expect((await update(id, { other: null, customer: null })).values).toEqual([null, null])
})
