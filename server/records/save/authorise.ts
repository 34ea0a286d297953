// The rights of the saving user: on the object, on the record, and on each field that was sent.
import type { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { ObjectField } from '#kernel/components/object/body.ts'
import { viewValues, type FieldProblem } from '#kernel/records/index.ts'
import type { RowAccess } from '../../access/index.ts'
import { accessDenied, invalidRecord, recordNotFound } from './record-errors.ts'
import { loadRelated } from './related-records.ts'
import type { Save, SaveContext } from './save.ts'
import type { RecordReader, StoredRecord } from '../../ports/record-store.ts'

/** @throws AlmanacError `access.denied` */
export function requireCreate({ context, object, isChecked }: Save): void {
  if (isChecked && !context.access.may(object, 'create'))
    throw accessDenied(context.access.user, 'create', object)
}

/**
 * A record that the user cannot see does not exist.
 * @throws AlmanacError `record.not_found`, `access.denied`
 */
export async function requireChange(
  save: Save,
  found: StoredRecord,
  right: 'update' | 'delete',
): Promise<void> {
  const { context, object, isChecked } = save
  if (!isChecked) return
  const row = await rowAccessTo(context, object, found)
  if (!context.access.may(object, 'read') || row === 'none') throw recordNotFound(object, found.id)
  if (!context.access.may(object, right)) throw accessDenied(context.access.user, right, object)
  if (row !== 'read_write') throw accessDenied(context.access.user, right, `${object}/${found.id}`)
}

/** Whether the user can read a record of an object. */
export async function canSee(save: Save, object: string, record: StoredRecord): Promise<boolean> {
  return !save.isChecked || canSeeRecord(save.context, object, record)
}

/** The same outside a save. */
export async function canSeeRecord(context: Reader, object: string, record: StoredRecord): Promise<boolean> {
  const { access } = context
  if (!access.may(object, 'read')) return false
  return access.accessToAll(object) !== 'none' || (await rowAccessTo(context, object, record)) !== 'none'
}

type Reader = Pick<SaveContext, 'present' | 'access'> & { tx: RecordReader }

async function rowAccessTo(context: Reader, object: string, record: StoredRecord): Promise<RowAccess> {
  const { present, tx, access } = context
  if (access.accessToAll(object) === 'read_write') return 'read_write'
  const loaded = await loadRelated(tx, [{ snapshot: present, object, records: [record.values] }])
  return access.rowAccess(viewValues(object, record.values, present, loaded))
}

/** The problem with a sent field that the user cannot edit; `hidden` if the field does not exist for the user. */
export function fieldDenial(
  { context, object, isChecked }: Save,
  name: string,
  { key, label }: ObjectField,
): FieldProblem | 'hidden' | null {
  const { access } = context
  if (!isChecked || access.canEditField(object, key)) return null
  if (!access.canReadField(object, key)) return 'hidden'
  const message = `${label ?? key} can be read but not changed by ${access.user}. A permission set must allow "edit" on ${object}.${key}.`
  return { field: name, code: 'access.denied', message }
}

/** Objects, records `<object>/<id>` or operations, without the objects that the user cannot see. */
export function shownPlaces({ access }: SaveContext, places: readonly string[]): string[] {
  return places.map((place) => {
    const object = place.split('/')[0]!
    return access.canSeeObject(object) || access.mayCall(object) ? place : hiddenObject
  })
}

const hiddenObject = 'an object that you cannot see'

/** The error of a record with problems, without what the user cannot see. */
export function refusedRecord(save: Save, problems: readonly FieldProblem[]): AlmanacError {
  const { context, object, chain } = save
  const [place = object, ...through] = shownPlaces(context, [object, ...chain])
  return invalidRecord(place, through, shownProblems(save, problems))
}

/** Problems as the user can see them: of a hidden field, only that it has one; the message of a rule is for everyone. */
function shownProblems(save: Save, problems: readonly FieldProblem[]): FieldProblem[] {
  const { context, object } = save
  const { access } = context
  if (!access.canSeeObject(object))
    return [
      { field: null, code: 'record.value', message: 'A record that you cannot see refuses the change.' },
    ]
  return problems.map((problem) => {
    const { field, rule, automation, code } = problem
    if (field === null || access.canReadField(object, field) || save.programs.field(field) === undefined)
      return problem
    if (rule !== undefined || automation !== undefined) return { ...problem, field: null }
    return { field: null, code, message: 'A field that you cannot see has no valid value.' }
  })
}
