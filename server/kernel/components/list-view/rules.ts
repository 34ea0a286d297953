// Rules for list views.
import type { ComponentOf } from '../body-types.ts'
import type { Reference, Rule } from '../define.ts'
import { duplicateItemFindings } from '../duplicates.ts'
import { edge, fieldPathEdge } from '../edges.ts'
import { membersExist, fieldPathsResolve } from '../members.ts'
import { objectFieldOf } from '../object/field-named.ts'
import type { ComponentView } from '../view.ts'
import { orderPushesDown } from './order-rule.ts'

export function listViewReferences({ body }: ComponentOf<'list_view'>, view?: ComponentView): Reference[] {
  const object = view?.get('object', body.object)
  // The id of a record is not a field.
  const isId = (name: string): boolean =>
    name === 'id' && object?.body.storage === 'local' && objectFieldOf(object, name) === undefined
  return [
    ...edge('object', body.object, ['object']),
    ...body.columns.flatMap((column, at) => fieldPathEdge(body.object, column, ['columns', at])),
    ...body.orderBy.flatMap(({ field }, at) =>
      isId(field) ? [] : fieldPathEdge(body.object, field, ['orderBy', at, 'field']),
    ),
  ]
}

const orderOnce: Rule<'list_view'> = (list) =>
  duplicateItemFindings(list, ['body', 'orderBy'], list.body.orderBy, 'field')

const columnPathsExist = fieldPathsResolve<'list_view'>(({ body: { object, columns, orderBy } }) => [
  ...columns.map((path, at) => ({ object, path, steps: ['body', 'columns', at] })),
  ...orderBy.map(({ field }, at) => ({ object, path: field, steps: ['body', 'orderBy', at, 'field'] })),
])

export const listViewRules: readonly Rule<'list_view'>[] = [
  orderOnce,
  membersExist(listViewReferences),
  columnPathsExist,
  orderPushesDown,
]
