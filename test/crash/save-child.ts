// Saves records to an org until it is killed, and prints each save once it is acknowledged: `<object> <id> <version>`.
import { writeSync } from 'node:fs'
import { randomInt, randomUUID } from 'node:crypto'
import { rootAccess } from '../records/access.ts'
import { newThreads } from '../../server/compose/threads.ts'
import { runSaves, type SaveItem } from '../../server/records/index.ts'
import { recordDeps } from './record-deps.ts'

const deps = recordDeps(process.argv[2]!, randomUUID, newThreads)
const { generation } = deps.snapshots.active()

async function save(items: readonly SaveItem[]): Promise<string[]> {
  const request = {
    generation,
    actor: 'admin',
    access: rootAccess(deps.snapshots.active()),
    correlationId: 'c-1',
    scopePath: {},
    allOrNone: false,
  }
  const outcomes = await runSaves(deps, { ...request, items })
  return outcomes.flatMap((outcome, at) => {
    if (!outcome.ok || outcome.record === null) return []
    const { id, version } = outcome.record
    writeSync(1, `${items[at]!.object} ${id} ${version}\n`)
    return [id]
  })
}

const [customer] = await save([{ op: 'insert', object: 'customer', values: { name: 'Ada', country: 'DE' } }])
writeSync(1, 'ready\n')
for (;;) {
  const number = randomUUID()
  const values = { number, customer, tax_point: '2022-01-01', net: String(randomInt(1000)) }
  const [invoice] = await save([{ op: 'insert', object: 'invoice', values }])
  const line = (weight: string): SaveItem => ({ op: 'insert', object: 'line', values: { invoice, weight } })
  // A batch with an item that fails, and one whose parent refuses it.
  await save([line('1'), line('x'), line('2.5'), line('5000')])
  // Two large ones: the second is computed while the first commits.
  const many = (): SaveItem[] => Array.from({ length: 20 }, (_, at) => line(at === 7 ? 'x' : String(at)))
  await Promise.all([save(many()), save(many())])
  const name = `Ada ${randomInt(1000)}`
  await save([{ op: 'update', object: 'customer', id: customer!, version: null, values: { name } }])
}
