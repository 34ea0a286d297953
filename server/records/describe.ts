// Objects and their fields as the caller can see them.
import type { ObjectField } from '#kernel/components/object/body.ts'
import type {
  FieldDescription,
  ObjectDescription,
  ObjectSummary,
  PlacedPage,
  RemoteDescription,
} from '#wire/records.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import { rowPrograms } from '#kernel/records/index.ts'
import type { RecordReader } from '../ports/record-store.ts'
import { virtualObjectOf } from '../virtual/index.ts'
import { listViewsOf } from './placed/list-views.ts'
import { visiblePages } from './placed/visible-sections.ts'
import { recordTable } from './record-table.ts'
import { visibleObject, visibleObjects, type RecordCaller } from './read/record-caller.ts'

export function listObjects(caller: RecordCaller): ObjectSummary[] {
  return visibleObjects(caller).map((object) => summaryOf(caller, object))
}

/** @throws AlmanacError `object.not_found` */
export async function describeObject(
  caller: RecordCaller,
  read: <T>(work: (reader: RecordReader) => Promise<T>) => Promise<T>,
  name: string,
): Promise<ObjectDescription> {
  const { object, body, isVirtual } = visibleObject(caller, name)
  const { access, present } = caller
  const unfilled = new Set(
    isVirtual ? [] : await read((reader) => reader.unfilled(recordTable(present, object))),
  )
  const ids = present.names.fieldIds(object)
  const readable = body.fields.filter(({ key }) => access.canReadField(object, key))
  const canRead = (key: string | undefined): boolean => readable.some((field) => field.key === key)
  return {
    ...summaryOf(caller, object),
    remote: remoteOf(present.view, object),
    nameField: canRead(body.nameField) ? body.nameField! : null,
    listViews: listViewsOf(caller, object),
    layouts: layoutsOf(caller, object),
    fields: readable.map((field) => ({
      ...fieldDescription(caller, object, field),
      filling: unfilled.has(ids.get(field.key)!),
    })),
  }
}

function remoteOf(view: ComponentView, key: string): RemoteDescription | null {
  const object = virtualObjectOf(view, key)
  if (object === null) return null
  const { body, source } = object
  const { filter, sort, aggregate } = source.body.pushdown
  return {
    ...{ dataSource: source.key, writable: body.writable === true },
    ...{ filters: filter, sorts: sort, counts: aggregate },
  }
}

/** Whether rows of an object can change; those of a virtual one only if it is writable. */
function isWritable(view: ComponentView, key: string): boolean {
  const body = view.get('object', key)!.body
  return body.storage === 'local' || body.writable === true
}

function layoutsOf(caller: RecordCaller, object: string): PlacedPage[] {
  const layouts = [...caller.present.view.list('layout')].filter(({ body }) => body.object === object)
  return visiblePages(
    caller,
    layouts.map(({ key, label, body: { sections } }) => ({ key, label, sections })),
    { kind: 'record', object },
  )
}

export function summaryOf({ present, access }: RecordCaller, object: string): ObjectSummary {
  const { aliases } = rowPrograms(present.view, object)!.body
  const may = (right: 'create' | 'read' | 'update' | 'delete'): boolean =>
    access.may(object, right) && (right === 'read' || isWritable(present.view, object))
  return {
    key: object,
    label: present.view.get('object', object)!.label,
    aliases,
    rights: { create: may('create'), read: may('read'), update: may('update'), delete: may('delete') },
  }
}

function fieldDescription(
  { access, present }: RecordCaller,
  object: string,
  field: ObjectField,
): Omit<FieldDescription, 'filling'> {
  const { key, label = key, type, aliases, required, unique, sensitive, formula, rollup } = field
  const computed =
    rollup !== undefined
      ? 'roll_up'
      : formula === undefined
        ? null
        : formula.stored
          ? 'stored_formula'
          : 'virtual_formula'
  return {
    ...{ key, label, type, aliases, required, unique, sensitive },
    ...{ precision: field.precision ?? null, scale: field.scale ?? null },
    ...membersOf(present.view, field.valueSet),
    ...{ valueSet: field.valueSet ?? null, references: field.references ?? null },
    computed,
    hasDefault: field.default !== undefined,
    editable:
      computed === null &&
      field.readOnly !== true &&
      access.canEditField(object, key) &&
      isWritable(present.view, object),
  }
}

export function membersOf(
  view: ComponentView,
  valueSet: string | undefined,
): Pick<FieldDescription, 'values' | 'labels'> {
  if (valueSet === undefined) return { values: null, labels: null }
  const members = view.get('value_set', valueSet)?.body.values ?? []
  return {
    values: members.flatMap(({ key, active }) => (active ? [key] : [])),
    labels: Object.fromEntries(members.map(({ key, label }) => [key, label])),
  }
}
