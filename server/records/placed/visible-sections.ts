// Sections of layouts, pages and steps without what the caller cannot read (docs/reference/data-api.md).
import type { PlacedItem, PlacedOn, Section } from '#kernel/components/placement.ts'
import { rowPrograms } from '#kernel/records/index.ts'
import type { PlacedItemDescription, PlacedList, PlacedPage, SectionDescription } from '#wire/records.ts'
import { pathOf } from '../read/projection.ts'
import type { RecordCaller } from '../read/record-caller.ts'
import { visibleListView } from './list-views.ts'

interface PageBody {
  key: string
  label: string
  sections: readonly Section[]
}

/** A page of which the caller can see nothing is left out; one that is empty for everyone stays. */
export function visiblePages(caller: RecordCaller, pages: readonly PageBody[], on: PlacedOn): PlacedPage[] {
  return pages.flatMap(({ key, label, sections }) => {
    const visible = visibleSections(caller, sections, on)
    return visible.length === 0 && sections.length > 0 ? [] : [{ key, label, sections: visible }]
  })
}

function visibleSections(
  caller: RecordCaller,
  sections: readonly Section[],
  on: PlacedOn,
): SectionDescription[] {
  return sections.flatMap(({ id, section, columns, items }) => {
    const visible = items.flatMap((item) => visibleItem(caller, item, on) ?? [])
    return visible.length === 0 && items.length > 0 ? [] : [{ id, section, columns, items: visible }]
  })
}

function visibleItem(caller: RecordCaller, item: PlacedItem, on: PlacedOn): PlacedItemDescription | null {
  const { id, type, key, inputs } = item
  if (type === 'field') {
    const path = on.kind === 'page' ? null : readablePath(caller, on.object, key)
    return path === null ? null : { id, type, key: path.join('.'), inputs }
  }
  if (key === 'list_view') {
    const list = placedList(caller, inputs.listView)
    if (list === null) return null
    if (inputs.via === undefined) return { id, type, key, inputs, list }
    const via = readablePath(caller, list.object, String(inputs.via))
    return via === null ? null : { id, type, key, inputs: { ...inputs, via: via.join('.') }, list }
  }
  return key === 'lookup_field' ? visibleLookup(caller, item, on) : { id, type, key, inputs }
}

function visibleLookup(
  caller: RecordCaller,
  { id, type, key, inputs }: PlacedItem,
  on: PlacedOn,
): PlacedItemDescription | null {
  const { field, object, ...attributes } = inputs
  if (object !== undefined) return canFind(caller, String(object)) ? { id, type, key, inputs } : null
  if (on.kind === 'page') return { id, type, key, inputs }
  const programs = rowPrograms(caller.present.view, on.object)
  const reference = programs?.field(String(field ?? id))
  // Without a reference it shows the fixed values of its inputs.
  if (reference?.references === undefined)
    return field === undefined ? { id, type, key, inputs: attributes } : null
  return caller.access.canReadField(on.object, reference.key)
    ? { id, type, key, inputs: { ...attributes, field: reference.key } }
    : null
}

const canFind = ({ present, access }: RecordCaller, object: string): boolean =>
  rowPrograms(present.view, object) !== null && access.may(object, 'read')

function placedList(caller: RecordCaller, key: unknown): PlacedList | null {
  const list = typeof key === 'string' ? caller.present.view.get('list_view', key) : undefined
  const visible = list === undefined ? null : visibleListView(caller, list)
  return visible === null ? null : { ...visible, object: list!.body.object }
}

/** The keys of the fields along a path; null if the caller cannot read one of them. */
function readablePath(caller: RecordCaller, object: string, name: string): string[] | null {
  const programs = rowPrograms(caller.present.view, object)
  const path = programs === null ? 'no records' : pathOf(caller, programs, name)
  if (typeof path === 'string') return null
  return path.every((step) => caller.access.canReadField(step.object, step.field.key))
    ? path.map(({ field }) => field.key)
    : null
}
