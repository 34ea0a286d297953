// Records over a real org: identities of objects and fields are written with each generation, and follow renames.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { initOrg, type OpenedOrg } from '../../server/compose/open-org.ts'
import { orgFile } from '../../server/compose/org-folder.ts'
import { rootAccess } from './access.ts'
import { createRecordSnapshots, runSaves, type RecordDeps } from '../../server/records/index.ts'
import { billing, type Bodies } from '../../server/kernel/records/fixture.ts'
import { objectFields } from '../../server/storage/sqlite/migrations/018-object-fields.ts'
import { createMemoryRecordStore } from '../../server/storage/sqlite/records/open-record-store.ts'
import { fieldsOf } from './bodies.ts'

const folder = mkdtempSync(join(tmpdir(), 'almanac-records-'))
const dir = join(folder, 'org')
let org: OpenedOrg
let deps: RecordDeps
beforeAll(() => {
  org = initOrg(dir, { name: 'Records', environment: 'test' })
  const snapshots = { active: () => org.pin(), at: (generation: number) => org.pin(generation) }
  deps = {
    store: createMemoryRecordStore(),
    snapshots: createRecordSnapshots(org.store, snapshots),
    clock: org.clock,
    ids: org.ids,
  }
})
afterAll(async () => {
  await org.close()
  rmSync(folder, { recursive: true, force: true })
})

async function deploy(bodies: Bodies, renames: Readonly<Record<string, string>> = {}): Promise<number> {
  const access = { read: { administrator: 'read' }, edit: { administrator: 'edit' } }
  const components = Object.entries(bodies).map(([id, body]) => {
    const [type = '', key = ''] = id.split('/')
    const label = { type, key, label: key }
    const renamed = renames[id] === undefined ? {} : { renamedFrom: renames[id] }
    return { ...label, ...renamed, body: type === 'config_set' ? { ...body, ...access } : body }
  })
  const { generation } = await org.apply({
    source: { kind: 'components', components },
    actor: 'admin',
    rationale: 'test',
  })
  return generation!
}

async function save(object: string, values: Record<string, unknown>, id?: string): Promise<string> {
  const { generation } = deps.snapshots.active()
  const item =
    id === undefined
      ? ({ op: 'insert', object, values } as const)
      : ({ op: 'update', object, id, version: null, values } as const)
  const request = {
    generation,
    actor: 'admin',
    access: rootAccess(deps.snapshots.active()),
    correlationId: 'c-1',
    scopePath: {},
    allOrNone: true,
  }
  const [outcome] = await runSaves(deps, { ...request, items: [item] })
  if (!outcome!.ok) throw outcome!.error
  return outcome!.record!.id
}

async function read(object: string, id: string, ...keys: string[]): Promise<unknown[]> {
  const { names } = deps.snapshots.active()
  const [record] = await deps.store.read((reader) => reader.get(names.objectId(object)!, [id]))
  return keys.map((key) => record?.values.get(names.fieldIds(object).get(key)!) ?? null)
}

it('keeps the values of records through renames of fields and of their object', async () => {
  await deploy(billing())
  const customer = await save('customer', { name: 'Ada', country: 'DE' })
  const id = await save('invoice', { number: 'R-1', customer, tax_point: '2020-08-15', net: '100' })
  expect(await read('invoice', id, 'tax', 'total')).toEqual(['16.00', '116.00'])

  const fields = fieldsOf(billing(), 'invoice').map((field) => {
    const text = JSON.stringify(field).replaceAll(/\bnet\b/g, 'amount')
    const renamed = JSON.parse(text) as Record<string, unknown>
    return field['key'] === 'net' ? { ...renamed, aliases: ['net'] } : renamed
  })
  await deploy({ 'object/invoice': { fields } })
  expect(await read('invoice', id, 'amount', 'total')).toEqual(['100.00', '116.00'])

  // The rename is carried through to the references of other components.
  await deploy({ 'object/bill': { fields } }, { 'object/bill': 'invoice' })
  expect(await read('bill', id, 'amount', 'total')).toEqual(['100.00', '116.00'])
  await save('bill', { net: '200' }, id)
  expect(await read('bill', id, 'amount', 'tax', 'total')).toEqual(['200.00', '32.00', '232.00'])
})

it('gives a stored org the identities that it would have had', () => {
  const db = new Database(orgFile(dir))
  const rows = (): unknown => db.prepare('SELECT object, from_gen, fields FROM object_fields').all()
  const written = rows()
  db.exec('BEGIN; DROP TABLE object_fields')
  objectFields(db)
  const migrated = rows()
  db.exec('ROLLBACK')
  db.close()
  expect(migrated).toEqual(written)
  expect(written).not.toHaveLength(0)
})
