// Records as the caller can see them: hidden fields are null, and what cannot be computed is null with its error.
import type { FieldValue } from '#kernel/components/field-types.ts'
import type { ObjectField } from '#kernel/components/object/body.ts'
import { exprValueToStored } from '#kernel/expr/index.ts'
import {
  failureReason,
  fieldValue,
  storedForm,
  viewValues,
  type LoadedRecords,
  type RecordView,
} from '#kernel/records/index.ts'
import type { RecordJson } from '#wire/records.ts'
import type { RecordReader, StoredRecord } from '../../ports/record-store.ts'
import { loadRelated } from '../save/related-records.ts'
import type { ProjectedField } from './projection.ts'
import type { RecordCaller } from './record-caller.ts'

/**
 * @param records of one object, each of which the caller can see
 * @param views of these records, if they were made before
 */
export async function recordsJson(
  caller: RecordCaller,
  reader: RecordReader,
  object: string,
  records: readonly StoredRecord[],
  projection: readonly ProjectedField[],
  views?: ReadonlyMap<string, RecordView>,
): Promise<RecordJson[]> {
  const targets = await loadTargets(caller, reader, records, projection)
  views ??= await viewsOf(caller, reader, object, records)
  return records.map((record) => recordJson(caller, views.get(record.id)!, record, projection, targets))
}

function recordJson(
  caller: RecordCaller,
  view: RecordView,
  { id, version }: StoredRecord,
  projection: readonly ProjectedField[],
  targets: Targets,
): RecordJson {
  const fields: Record<string, FieldValue> = {}
  let errors: Record<string, string> | null = null
  for (const { name, path } of projection) {
    const shown = shownValue(caller, view, path, 0, targets)
    fields[name] = shown.value
    if (shown.error !== undefined) (errors ??= {})[name] = shown.error
  }
  const json: RecordJson = { id, object: view.object, version, fields }
  return errors === null ? json : { ...json, errors }
}

const noRecords: LoadedRecords = () => undefined
const noTargets: Targets = new Map()

/**
 * A record that the caller can see, as far as its fields and the rights on it follow from its own values
 * (`readsAlone`); null if the caller cannot see it.
 */
export function recordJsonAlone(
  caller: RecordCaller,
  object: string,
  record: StoredRecord,
  projection: readonly ProjectedField[],
): RecordJson | null {
  const view = viewValues(object, record.values, caller.present, noRecords)
  return isVisible(caller, view) ? recordJson(caller, view, record, projection, noTargets) : null
}

function isVisible({ access }: RecordCaller, view: RecordView): boolean {
  const { object } = view
  return (
    access.may(object, 'read') && (access.accessToAll(object) !== 'none' || access.rowAccess(view) !== 'none')
  )
}

interface Shown {
  readonly value: FieldValue
  readonly error?: string
}

function shownValue(
  caller: RecordCaller,
  record: RecordView,
  path: ProjectedField['path'],
  at: number,
  targets: Targets,
): Shown {
  const { object, field } = path[at]!
  if (!caller.access.canReadField(object, field.key)) return absent
  if (at === path.length - 1) return computedValue(caller, record, field)
  const id = record.value(field.key)
  const target = typeof id === 'string' ? targets.get(id) : undefined
  return target === undefined ? absent : shownValue(caller, target, path, at + 1, targets)
}

const absent: Shown = { value: null }

function computedValue({ present, scopePath }: RecordCaller, record: RecordView, field: ObjectField): Shown {
  if (field.formula?.stored !== false) return { value: withScale(field, record.value(field.key)) }
  try {
    const value = fieldValue({ snapshot: present, scopePath }, record, field.key)
    return { value: exprValueToStored(value, storedForm(field)) }
  } catch (error) {
    const reason = failureReason(error)
    if (reason === null) throw error
    return { value: null, error: reason.code }
  }
}

/** A number that was stored before its field had as many decimals. */
function withScale({ type, scale = 0 }: ObjectField, value: FieldValue): FieldValue {
  if (type !== 'number' || typeof value !== 'string' || scale === 0) return value
  const [whole, fraction = ''] = value.split('.')
  return `${whole}.${fraction.padEnd(scale, '0')}`
}

/** Records at the end of references, by id: only those that the caller can see. */
type Targets = ReadonlyMap<string, RecordView>

async function loadTargets(
  caller: RecordCaller,
  reader: RecordReader,
  records: readonly StoredRecord[],
  projection: readonly ProjectedField[],
): Promise<Targets> {
  const targets = new Map<string, RecordView>()
  const { present, access } = caller
  for (const { path } of projection) {
    let level = records.map((record) => record.values)
    for (const { object, field } of path.slice(0, -1)) {
      const target = field.references!
      const id = present.names.objectId(target)
      const fieldId = present.names.fieldIds(object).get(field.key)!
      if (id === undefined || !access.may(target, 'read') || !access.canReadField(object, field.key)) break
      const ids = new Set(level.flatMap((values) => textOf(values.get(fieldId))))
      const found = await reader.get(id, [...ids])
      const views = await visibleViews(caller, reader, target, found)
      level = found.flatMap((record) => (views.has(record.id) ? [record.values] : []))
      for (const [each, view] of views) targets.set(each, view)
    }
  }
  return targets
}

const textOf = (value: FieldValue | undefined): string[] => (typeof value === 'string' ? [value] : [])

/** The records of an object that the caller can see, ready for their virtual formulas. */
export async function visibleViews(
  caller: RecordCaller,
  reader: RecordReader,
  object: string,
  records: readonly StoredRecord[],
): Promise<Map<string, RecordView>> {
  if (records.length === 0 || !caller.access.may(object, 'read')) return new Map()
  const views = await viewsOf(caller, reader, object, records)
  for (const [id, view] of views) if (!isVisible(caller, view)) views.delete(id)
  return views
}

async function viewsOf(
  { present }: RecordCaller,
  reader: RecordReader,
  object: string,
  records: readonly StoredRecord[],
): Promise<Map<string, RecordView>> {
  const values = records.map((record) => record.values)
  const loaded: LoadedRecords = await loadRelated(
    reader,
    [{ snapshot: present, object, records: values }],
    'read',
  )
  return new Map(records.map((record) => [record.id, viewValues(object, record.values, present, loaded)]))
}
