// The page of a viewer who sees many records. SQLite takes the index of the owner for every viewer, and then sorts all records of
// that owner; for many of them it is faster to follow the index of the order and to pass over what belongs to others.
import { always, type Condition, type QueryField, type RecordQuery } from '../../../ports/record-query.ts'
import type { Db } from '../db.ts'
import { conditionSql, querySql, type Sql, type Tables } from './query-sql.ts'
import type { MappedTable } from './rows.ts'

/** Records that a viewer sees for one reason, from which on the order is followed. Fewer are sorted sooner. */
const many = 1000
/** Records that are passed in vain at most, before all records of the viewer are sorted after all. */
const steps = 5000

/**
 * Selects records in the order of the query from the place on; `marked` is whether they belong to the page.
 * Null if the order has no index, or nothing suggests that many of the records belong to the page.
 */
export function walkSql(
  db: Db,
  query: RecordQuery,
  table: MappedTable,
  tables: Tables,
): (Sql & { most: number }) | null {
  const { anyOf, where, orderBy, after, limit, id } = query
  const [first, ...rest] = orderBy
  if (id !== undefined || rest.length > 0) return null
  if (first !== undefined && !isIndexed(table, first.field)) return null
  if (!isRange(where, first?.field)) return null
  if (!anyOf.some((reason) => isMet(db, reason, table, tables))) return null
  const visible: Condition = { op: 'or', parts: anyOf }
  // A second bound beside that of the place could be the one at which the database starts.
  const [bound, mark]: [Condition, Condition] =
    after === null ? [where, visible] : [always, { op: 'and', parts: [where, visible] }]
  const most = Math.max(steps, 5 * limit)
  return { ...querySql({ ...query, anyOf: [always], where: bound, limit: most }, table, tables, mark), most }
}

function isIndexed(table: MappedTable, { via, field, letterCase }: QueryField): boolean {
  return (
    via.length === 0 &&
    letterCase === undefined &&
    table.columns.some(({ id, indexed }) => id === field && indexed)
  )
}

/** Whether the records that meet a condition follow one another in the order. */
function isRange(condition: Condition, order: QueryField | undefined): boolean {
  switch (condition.op) {
    case 'constant':
      return condition.value
    case 'and':
      return condition.parts.every((part) => isRange(part, order))
    case 'compare': {
      const { left, right, operator } = condition
      const isOfOrder = left.via.length === 0 && left.letterCase === undefined && left.field === order?.field
      return 'value' in right && operator !== '!=' && isOfOrder
    }
    default:
      return false
  }
}

/** Whether many records have a value, such as their owner. */
function isMet(db: Db, reason: Condition, table: MappedTable, tables: Tables): boolean {
  if (reason.op !== 'compare' || reason.operator !== '==' || !isIndexed(table, reason.left)) return false
  const { text, values } = conditionSql('r', table, reason, tables)
  const counted = `SELECT count(*) FROM (SELECT 1 FROM ${table.name} r WHERE ${text} LIMIT ${many})`
  return (
    db
      .prepare<unknown[], number>(counted)
      .pluck()
      .get(...values) === many
  )
}
