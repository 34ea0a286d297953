// Which cells of a grid can be edited, and why the others cannot.
import type { ObjectDescription } from '../../../api/records.ts'
import { viewedUserKey } from '../../../api/request.ts'
import type { GridColumn } from '../grid-columns.ts'

const how = {
  stored_formula: 'is a formula: the server computes it when the record is saved',
  virtual_formula: 'is a formula: the server computes it when the record is read',
  roll_up: 'is a roll-up: the server computes it from other records',
} as const

/** Explains why no cell can be edited; null if some can. */
export function whyReadOnly({ label, rights, remote }: ObjectDescription): string | null {
  const viewed = viewedUserKey()
  if (viewed !== null) return `Records are shown as ${viewed} sees them, and cannot be changed.`
  if (remote !== null && !remote.writable)
    return `${label} is virtual, and rows of ${remote.dataSource} cannot be changed here.`
  return rights.update ? null : `You can read the records of ${label}, but not change them.`
}

/** Explains why the cells of a column cannot be edited; null if they can. */
export function whyFixed(object: ObjectDescription, column: GridColumn): string | null {
  const { field, along } = column
  const why = whyReadOnly(object)
  if (why !== null && viewedUserKey() !== null) return why
  if (along !== null)
    return `${column.label} is a field of a different record. Open the record that ${along.label} names to edit it.`
  if (field.computed !== null) return `${field.label} ${how[field.computed]}.`
  if (why !== null) return why
  if (!field.editable)
    return `You can read ${field.label}, but not change it. A permission set gives the right to edit a field.`
  return null
}
