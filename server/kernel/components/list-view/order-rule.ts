// Checks the order of a list over a virtual object: its source must sort, and only by its own fields.
import { objectFieldOf } from '../object/field-named.ts'
import type { Rule } from '../define.ts'
import { pointer } from '../pointer.ts'
import { errorFinding } from '../report.ts'

export const orderPushesDown: Rule<'list_view'> = (list, { view }) => {
  const object = view.get('object', list.body.object)
  if (object?.body.storage !== 'external') return []
  const source = view.get('external_data_source', object.body.dataSource)
  if (source === undefined) return []
  return list.body.orderBy.flatMap(({ field }, at) => {
    const reason = !source.body.pushdown.sort
      ? `its source ${source.key} does not sort: "pushdown.sort" is false. Remove the order`
      : field.includes('.')
        ? `its source cannot order by ${field}, a field of another object. Order by a field of ${object.key}`
        : objectFieldOf(object, field)?.formula !== undefined
          ? `its source cannot order by ${field}, a formula that is computed here. Order by a field of the source`
          : null
    if (reason === null) return []
    const message = `${object.key} is virtual, and ${reason}.`
    return [errorFinding(list, pointer('body', 'orderBy', at, 'field'), 'expr.not_pushed_down', message)]
  })
}
