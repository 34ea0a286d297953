// Records as the caller can see them: hidden fields are null, and what cannot be computed is null with its error.
import type { FieldValue } from '#kernel/components/field-types.ts'
import type { ObjectField } from '#kernel/components/object/body.ts'
import { exprValueToStored } from '#kernel/expr/index.ts'
import {
  failureReason,
  fieldValue,
  rowPrograms,
  storedForm,
  viewValues,
  type FieldId,
  type LoadedRecords,
  type RecordView,
} from '#kernel/records/index.ts'
import type { RecordJson } from '#wire/records.ts'
import type { RecordReader } from '../../ports/record-store.ts'
import { loadRelated } from '../save/related-records.ts'
import type { ProjectedField } from './projection.ts'
import type { RecordCaller } from './record-caller.ts'
import type { RemoteField, RemoteReferences } from './remote-references.ts'

/** A record as it is shown: one that is stored, or a row of a source. */
export interface ShownRecord {
  id: string
  version: RecordJson['version']
  values: ReadonlyMap<FieldId, FieldValue>
}

interface Known {
  /** Of these records, if they were made before. */
  views?: ReadonlyMap<string, RecordView> | undefined
  /** Receives the references to virtual objects that are followed; null there until their rows are read. */
  remote?: RemoteReferences | undefined
}

/** @param records of one object, each of which the caller can see */
export async function recordsJson(
  caller: RecordCaller,
  reader: Pick<RecordReader, 'get'>,
  object: string,
  records: readonly ShownRecord[],
  projection: readonly ProjectedField[],
  { views, remote }: Known = {},
): Promise<RecordJson[]> {
  const targets = await loadTargets(caller, reader, records, projection)
  const known = views ?? (await viewsOf(caller, reader, object, records))
  return records.map((record) =>
    recordJson(caller, known.get(record.id)!, record, projection, { targets, remote }),
  )
}

function recordJson(
  caller: RecordCaller,
  view: RecordView,
  { id, version }: ShownRecord,
  projection: readonly ProjectedField[],
  { targets, remote }: { targets: Targets; remote?: RemoteReferences | undefined },
): RecordJson {
  const fields: Record<string, FieldValue> = {}
  let errors: Record<string, string> | null = null
  let followed: [name: string, RemoteField][] | null = null
  for (const { name, path } of projection) {
    const shown = shownValue(caller, view, path, 0, targets)
    fields[name] = 'value' in shown ? shown.value : null
    if ('error' in shown) (errors ??= {})[name] = shown.error
    if ('row' in shown) (followed ??= []).push([name, shown])
  }
  const json: RecordJson = { id, object: view.object, version, fields }
  const all = errors === null ? json : { ...json, errors }
  for (const [name, row] of followed ?? []) remote?.add(all, name, row)
  return all
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
  record: ShownRecord,
  projection: readonly ProjectedField[],
): RecordJson | null {
  const view = viewValues(object, record.values, caller.present, noRecords)
  return isVisible(caller, view) ? recordJson(caller, view, record, projection, { targets: noTargets }) : null
}

function isVisible({ access }: RecordCaller, view: RecordView): boolean {
  const { object } = view
  return (
    access.may(object, 'read') && (access.accessToAll(object) !== 'none' || access.rowAccess(view) !== 'none')
  )
}

type Shown = { value: FieldValue } | { value: FieldValue; error: string } | RemoteField

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
  if (typeof id !== 'string') return absent
  if (isVirtual(caller, field.references!)) return remoteField(caller, id, path[at + 1]!)
  const target = targets.get(id)
  return target === undefined ? absent : shownValue(caller, target, path, at + 1, targets)
}

const absent: Shown = { value: null }

const isVirtual = ({ present }: RecordCaller, object: string): boolean =>
  rowPrograms(present.view, object)?.isVirtual === true

function remoteField({ access }: RecordCaller, row: string, step: ProjectedField['path'][number]): Shown {
  const { object, field } = step
  const isReadable = access.may(object, 'read') && access.canReadField(object, field.key)
  return isReadable ? { object, row, field: field.key } : absent
}

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
  reader: Pick<RecordReader, 'get'>,
  records: readonly Pick<ShownRecord, 'values'>[],
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
      if (id === undefined || isVirtual(caller, target)) break
      if (!access.may(target, 'read') || !access.canReadField(object, field.key)) break
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
  reader: Pick<RecordReader, 'get'>,
  object: string,
  records: readonly ShownRecord[],
): Promise<Map<string, RecordView>> {
  if (records.length === 0 || !caller.access.may(object, 'read')) return new Map()
  const views = await viewsOf(caller, reader, object, records)
  for (const [id, view] of views) if (!isVisible(caller, view)) views.delete(id)
  return views
}

async function viewsOf(
  { present }: RecordCaller,
  reader: Pick<RecordReader, 'get'>,
  object: string,
  records: readonly ShownRecord[],
): Promise<Map<string, RecordView>> {
  const values = records.map((record) => record.values)
  const loaded: LoadedRecords = await loadRelated(
    reader,
    [{ snapshot: present, object, records: values }],
    'read',
  )
  return new Map(records.map((record) => [record.id, viewValues(object, record.values, present, loaded)]))
}
