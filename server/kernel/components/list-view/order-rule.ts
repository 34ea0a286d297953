// Checks the order of a list: the database, or the source of a virtual object, must be able to apply it.
import type { ComponentOf } from '../body-types.ts'
import type { Rule } from '../define.ts'
import type { ObjectField } from '../object/body.ts'
import { objectFieldOf } from '../object/field-named.ts'
import { pointer } from '../pointer.ts'
import { errorFinding } from '../report.ts'
import type { ComponentView } from '../view.ts'

export const orderPushesDown: Rule<'list_view'> = (list, { view }) => {
  const object = view.get('object', list.body.object)
  if (object === undefined) return []
  const refusal = object.body.storage === 'external' ? refusedBySource : refusedByStore
  return list.body.orderBy.flatMap(({ field }, at) => {
    const message = refusal(object, field, view)
    if (message === null) return []
    return [errorFinding(list, pointer('body', 'orderBy', at, 'field'), 'expr.not_pushed_down', message)]
  })
}

function refusedBySource(object: ComponentOf<'object'>, path: string, view: ComponentView): string | null {
  const { body } = object
  const source = body.storage === 'external' ? view.get('external_data_source', body.dataSource) : undefined
  if (source === undefined) return null
  const reason = !source.body.pushdown.sort
    ? `its source ${source.key} does not sort: "pushdown.sort" is false. Remove the order`
    : path.includes('.')
      ? `its source cannot order by ${path}, a field of another object. Order by a field of ${object.key}`
      : objectFieldOf(object, path)?.formula !== undefined
        ? `its source cannot order by ${path}, a formula that is computed here. Order by a field of the source`
        : null
  return reason === null ? null : `${object.key} is virtual, and ${reason}.`
}

/** Unknown fields are reported by other rules. */
function refusedByStore(first: ComponentOf<'object'>, path: string, view: ComponentView): string | null {
  let object: ComponentOf<'object'> | undefined = first
  for (const name of path.split('.')) {
    const field: ObjectField | undefined = object === undefined ? undefined : objectFieldOf(object, name)
    if (object === undefined || field === undefined) return null
    if (object.body.storage === 'external')
      return (
        `${object.key} is virtual, so its field ${field.key} is not stored with ${first.key} and cannot order it. ` +
        `Order by fields of ${first.key}, or ingest ${object.key} into a local object.`
      )
    if (field.formula?.stored === false)
      return `${path} is computed when it is read, so records cannot be ordered by it. Store the formula of ${object.key}.${field.key}.`
    object = field.references === undefined ? undefined : view.get('object', field.references)
  }
  return null
}
