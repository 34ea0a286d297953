// Which commands commit together: a large one would hold up the replies of those before it.
import { expect, it } from 'vitest'
import { billing, Generations } from '../../server/kernel/records/fixture.ts'
import { saveGroup, type CommandDeps, type SaveCommand } from '../../server/records/index.ts'
import { createMemoryRecordStore } from '../../server/storage/sqlite/records/open-record-store.ts'
import { rootAccess } from './access.ts'
import { idsFrom } from './programs.ts'

it('a large command begins a group of its own', async () => {
  const generations = new Generations()
  const present = generations.add(billing())
  const deps: CommandDeps = {
    store: createMemoryRecordStore(),
    snapshots: { active: () => present, at: (generation) => generations.at(generation) },
    clock: { now: () => '2026-01-01T00:00:00.000Z', today: () => '2026-01-01' },
    ids: { uuid: idsFrom(0) },
    accessOf: () => rootAccess(present),
  }
  const command = (items: number): SaveCommand => ({
    ...{ generation: 1, user: 'admin', correlationId: 'c', scopePath: {}, allOrNone: false, reply: 'ids' },
    items: Array.from({ length: items }, () => ({
      ...({ op: 'insert', object: 'customer' } as const),
      fields: { name: 'Ada', country: 'DE' },
    })),
  })
  const ran = async (...sizes: number[]): Promise<number> =>
    (await saveGroup(deps, sizes.map(command), () => 0)).length
  expect([await ran(1, 2, 1), await ran(1, 200, 1), await ran(200, 1), await ran(200, 200)]).toEqual([
    3, 1, 2, 1,
  ])
})
