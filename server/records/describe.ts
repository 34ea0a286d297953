// Objects and their fields as the caller can see them.
import type { ObjectField } from '#kernel/components/object/body.ts'
import type { FieldDescription, ObjectDescription, ObjectSummary, PlacedPage } from '#wire/records.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import { objectPrograms } from '#kernel/records/index.ts'
import type { RecordReader } from '../ports/record-store.ts'
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
  reader: RecordReader,
  name: string,
): Promise<ObjectDescription> {
  const { object, body } = visibleObject(caller, name)
  const { access, present } = caller
  const unfilled = new Set(await reader.unfilled(recordTable(present, object)))
  const ids = present.names.fieldIds(object)
  const readable = body.fields.filter(({ key }) => access.canReadField(object, key))
  const canRead = (key: string | undefined): boolean => readable.some((field) => field.key === key)
  return {
    ...summaryOf(caller, object),
    nameField: canRead(body.nameField) ? body.nameField! : null,
    listViews: listViewsOf(caller, object),
    layouts: layoutsOf(caller, object),
    fields: readable.map((field) => ({
      ...fieldDescription(caller, object, field),
      filling: unfilled.has(ids.get(field.key)!),
    })),
  }
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
  const { aliases } = objectPrograms(present.view, object)!.body
  const may = (right: 'create' | 'read' | 'update' | 'delete'): boolean => access.may(object, right)
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
    editable: computed === null && access.canEditField(object, key),
  }
}

function membersOf(
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
