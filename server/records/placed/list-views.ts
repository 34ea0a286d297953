// List views as the caller can see them.
import type { ComponentOf } from '#kernel/components/body-types.ts'
import { rowPrograms } from '#kernel/records/index.ts'
import type { ListViewDescription } from '#wire/records.ts'
import { canReadFilter } from '../query/conditions.ts'
import { pathOf } from '../read/projection.ts'
import type { RecordCaller } from '../read/record-caller.ts'

export function listViewsOf(caller: RecordCaller, object: string): ListViewDescription[] {
  return [...caller.present.view.list('list_view')]
    .filter(({ body }) => body.object === object)
    .flatMap((list) => visibleListView(caller, list) ?? [])
}

/** Null if nothing can be shown: a filter of fields or values that the caller cannot read would be refused. */
export function visibleListView(
  caller: RecordCaller,
  { key, label, body }: ComponentOf<'list_view'>,
): ListViewDescription | null {
  const { access, present } = caller
  const { object } = body
  const programs = rowPrograms(present.view, object)
  if (programs === null || !access.may(object, 'read')) return null
  const canReadAlong = (name: string): boolean => {
    const path = pathOf(caller, programs, name)
    return typeof path !== 'string' && path.every((step) => access.canReadField(step.object, step.field.key))
  }
  const columns = body.columns.filter(canReadAlong)
  if (columns.length === 0 || !canReadFilter(caller, object, body.filter)) return null
  const orderBy = body.orderBy.filter(
    ({ field }) => canReadAlong(field) || (field === 'id' && programs.field(field) === undefined),
  )
  return { key, label, columns, filter: body.filter ?? null, orderBy }
}
