// The fields that a request names, and the names that it uses for them.
import { objectKeyOf } from '#kernel/components/object/object-named.ts'
import type { ObjectField } from '#kernel/components/object/body.ts'
import type { WebhookEndpointBody } from '#kernel/components/webhook-endpoint/body.ts'
import type { ObjectChanges } from '#kernel/events/index.ts'
import {
  objectPrograms,
  rowPrograms,
  type ObjectPrograms,
  type RecordSnapshot,
} from '#kernel/records/index.ts'
import { objectItself } from '../../ports/field-use.ts'
import type { SaveCommand } from '../commands/save-command.ts'
import { idColumn, type ColumnJob } from '../ingest/ingest-columns.ts'
import type { ProjectedField } from '../read/projection.ts'
import type { RecordCaller } from '../read/record-caller.ts'
import type { UsedField } from './field-uses.ts'

type Dispatch = WebhookEndpointBody['dispatch']

/** The object of a request, by the name that the request used for it. */
export function usedObject({ view, names }: RecordSnapshot, name: string): UsedField[] {
  const object = names.objectId(objectKeyOf(view, name) ?? name)
  return object === undefined ? [] : [{ object, field: objectItself, name }]
}

/** Each step of dotted names, by the name that the request used for it. */
export function usedAlong({ present }: RecordCaller, fields: readonly ProjectedField[]): UsedField[] {
  return fields.flatMap(({ name, path }) => {
    const names = name.split('.')
    return path.flatMap(({ object, field }, index) =>
      usedField(present, object, field.key, names[index] ?? field.key),
    )
  })
}

/** A full read uses every field that the caller can read, by its key. */
export function usedByFullRead(
  { present, access }: RecordCaller,
  { object, body }: ObjectPrograms,
): UsedField[] {
  return body.fields.flatMap(({ key }) =>
    access.canReadField(object, key) ? usedField(present, object, key, key) : [],
  )
}

/** What events of changes have of an object: every carried field that the caller can read, by its key. */
export function usedByChannel(caller: RecordCaller, { object, fields: carried }: ObjectChanges): UsedField[] {
  const programs = objectPrograms(caller.present.view, object)
  if (programs === null) return []
  const fields = usedByFullRead(caller, programs).filter(({ name }) => carried?.has(name) ?? true)
  return [...usedObject(caller.present, object), ...fields]
}

/** What a delivery writes, by the names that its endpoint uses: its sender depends on those fields. */
export function usedByDispatch(present: RecordSnapshot, { upsert, automation }: Dispatch): UsedField[] {
  if (automation !== undefined) return usedByCall(present, automation)
  if (upsert === undefined) return []
  const { object, externalId, values } = upsert
  return usedByCommand(present, { items: [{ op: 'upsert', object, externalId, fields: values }] })
}

/** Names of a write; those that do not exist are refused by it. */
export function usedByCommand(present: RecordSnapshot, { items }: Pick<SaveCommand, 'items'>): UsedField[] {
  return items.flatMap(({ object: name, fields, externalId }) => {
    const programs = rowPrograms(present.view, objectKeyOf(present.view, name) ?? name)
    if (programs === null) return []
    const names = [...Object.keys(fields), ...(externalId === undefined ? [] : [externalId])]
    const fieldsUsed = names.flatMap((each) => {
      const field = programs.field(each)
      if (field === undefined) return []
      const own = usedField(present, programs.object, field.key, each)
      return [...own, ...usedByReference(present, field, fields[each])]
    })
    return [...usedObject(present, name), ...fieldsUsed]
  })
}

/** The columns of a bulk job, by the names that they have: its client depends on them as if it saved each row. */
export function usedByColumns(
  present: RecordSnapshot,
  { object, columns, externalId }: Omit<ColumnJob, 'operation'>,
): UsedField[] {
  const key = present.names.objectKey(object)
  if (key === undefined) return []
  const fields = columns
    .filter((column) => column !== idColumn)
    .flatMap((column) => {
      if (column === null) return []
      const [name = '', target] = column.split('.')
      return [[name, target === undefined ? null : { [target]: null }] as const]
    })
  const item = { op: 'upsert' as const, object: key, fields: Object.fromEntries(fields) }
  return usedByCommand(present, { items: [{ ...item, externalId: externalId ?? undefined }] })
}

/** The unique field of the target by which a write names the record that a reference refers to. */
function usedByReference(present: RecordSnapshot, { references }: ObjectField, sent: unknown): UsedField[] {
  if (references === undefined || typeof sent !== 'object' || sent === null) return []
  const target = rowPrograms(present.view, references)
  return Object.keys(sent).flatMap((name) => {
    const field = target?.field(name)
    return field?.unique === true ? usedField(present, references, field.key, name) : []
  })
}

/** What the actions of an operation write, by the names that they use: its caller depends on those fields. */
export function usedByCall({ view, ...present }: RecordSnapshot, operation: string): UsedField[] {
  const items = (view.get('automation', operation)?.body.actions ?? []).flatMap((action) =>
    action.type === 'create' || action.type === 'update'
      ? [{ op: 'insert' as const, object: action.object, fields: action.values }]
      : [],
  )
  return usedByCommand({ view, ...present }, { items })
}

function usedField({ names }: RecordSnapshot, object: string, key: string, name: string): UsedField[] {
  const [id, field] = [names.objectId(object), names.fieldIds(object).get(key)]
  return id === undefined || field === undefined ? [] : [{ object: id, field, name }]
}
