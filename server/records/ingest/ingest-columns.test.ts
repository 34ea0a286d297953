// The columns of a bulk job name the same fields as when it was closed, or the job ends.
import { expect, it } from 'vitest'
import { Generations, type Bodies } from '#kernel/records/fixture.ts'
import type { RecordAccess } from '../../access/index.ts'
import { openColumns, type ColumnJob } from './ingest-columns.ts'

const access = {
  ...{ user: 'ada', canSeeObject: () => true, canReadField: () => true, canEditField: () => true },
} as unknown as RecordAccess
const item = (...fields: [key: string, ...aliases: string[]][]): Bodies => ({
  'object/item': {
    fields: fields.map(([key, ...aliases]) => ({ key, aliases, type: 'text', unique: true })),
    nameField: fields[0]![0],
  },
})

it('a name that now belongs to a different field is refused, also that of the external id', () => {
  const generations = new Generations()
  const first = generations.add(item(['code', 'own'], ['ean', 'mark']))
  const open = (present: typeof first, job: Partial<ColumnJob>) =>
    openColumns(
      { present, access },
      {
        ...{ object: first.names.objectId('item')!, operation: 'upsert', externalId: 'code' },
        ...{ columns: ['own', 'mark'], fields: null, ...job },
      },
    )
  const { fields } = open(first, {})
  const renamed = generations.add(item(['sku', 'code', 'own'], ['ean', 'mark']))
  expect(open(renamed, { fields }).fields).toEqual(fields)
  const moved = generations.add(item(['sku', 'own'], ['code', 'ean', 'mark']))
  // Each column still names its own field, but records would now be found by the other one.
  expect(() => open(moved, { fields })).toThrow('"code" is a different field of item')
  // A job of an earlier version has none for its external id.
  expect(() => open(moved, { fields: fields.slice(0, 2) })).not.toThrow()
})
