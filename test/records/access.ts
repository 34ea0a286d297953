// Who saves records in tests.
import type { RecordSnapshot } from '#kernel/records/index.ts'
import { recordAccess, type EffectiveAccess, type RecordAccess } from '../../server/access/index.ts'

type Rights = Partial<EffectiveAccess['objects'][string]>
type FieldRights = Partial<EffectiveAccess['fields'][string]>

const noRights = {
  create: false,
  read: false,
  update: false,
  delete: false,
  viewAll: false,
  modifyAll: false,
}

export interface Person {
  user: string
  permissionSets?: readonly string[]
  objects?: Readonly<Record<string, Rights>>
  fields?: Readonly<Record<string, FieldRights>>
  platformRoot?: boolean
}

/** The access of a person with these rights alone. */
export function accessOf(
  { user, permissionSets = [], objects = {}, fields = {}, platformRoot = false }: Person,
  snapshot: RecordSnapshot,
): RecordAccess {
  const all = <T>(rights: Readonly<Record<string, object>>, none: T): Record<string, T> =>
    Object.fromEntries(Object.entries(rights).map(([key, each]) => [key, { ...none, ...each }]))
  return recordAccess(
    {
      ...{ user, permissionSets, system: new Set(), readSets: new Set(), editSets: new Set(), platformRoot },
      objects: all(objects, noRights),
      fields: all(fields, { read: false, edit: false }),
    },
    { snapshot, scopePath: {} },
  )
}

/** May do everything. */
export const rootAccess = (snapshot: RecordSnapshot): RecordAccess =>
  accessOf({ user: 'admin', platformRoot: true }, snapshot)
