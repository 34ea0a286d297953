// Builds the SQL of a query. A comparison is coalesced to false only below a `not`, so that indexes can be used elsewhere.
import type { FieldValue } from '#kernel/components/field-types.ts'
import type { ObjectId } from '#kernel/records/index.ts'
import type { Condition, QueryField, QueryOrder, RecordQuery } from '../../../ports/record-query.ts'
import type { Db } from '../db.ts'
import { encodingOf, type SqlValue } from './encoding.ts'
import type { MappedColumn, MappedTable } from './rows.ts'

export type Tables = (object: ObjectId) => MappedTable | null

/** SQL with its values in the order of the question marks. */
export interface Sql {
  text: string
  values: readonly SqlValue[]
}

interface Column {
  sql: Sql
  /** Null if no record has had a value yet. */
  column: Pick<MappedColumn, 'encoding'> | null
}

/** Registers the functions that compare texts in one case, as expressions do. */
export function installCaseFunctions(db: Db): void {
  const define = (name: string, convert: (text: string) => string): void =>
    void db.function(name, { deterministic: true }, (text: unknown) =>
      typeof text === 'string' ? convert(text) : null,
    )
  define('lower_case', (text) => text.toLowerCase())
  define('upper_case', (text) => text.toUpperCase())
}

const sql = (text: string, ...values: SqlValue[]): Sql => ({ text, values })
const constant = (value: boolean): Sql => sql(value ? '1' : '0')

export function join(parts: readonly Sql[], separator: string): Sql {
  return {
    text: parts.map(({ text }) => `(${text})`).join(separator),
    values: parts.flatMap(({ values }) => values),
  }
}

/**
 * Selects the ids of the records of a page with their order values `o0`, `o1`, …, in order.
 * @param mark selected as `marked` beside them: whether the record meets it
 */
export function querySql(
  { anyOf, where, orderBy, idDir = lastDir(orderBy), after, limit, id }: RecordQuery,
  table: MappedTable,
  tables: Tables,
  mark?: Condition,
): Sql {
  const builder = new ConditionSql(tables)
  const order = orderBy.map(({ field, dir }) => ({ ...builder.columnOf('r', table, field), dir }))
  const place = after === null ? null : placeSql(order, after.values, after.id, idDir)
  const direction = [...order.map(({ dir }, index) => `o${index} ${dir}`), `id ${idDir}`].join(', ')
  const branches = anyOf.map((alternative): Sql => {
    const conditions = [alternative, where].map((condition) =>
      builder.condition('r', table, condition, false),
    )
    if (place !== null) conditions.push(place)
    if (id !== undefined) conditions.push(sql('r.id = ?', id))
    const filter = join(conditions, ' AND ')
    const columns = order.map(({ sql: { text } }, index) => `, ${text} AS o${index}`)
    const marked = mark === undefined ? null : builder.condition('r', table, mark, false)
    if (marked !== null) columns.push(`, (${marked.text}) AS marked`)
    return {
      text: `SELECT r.id AS id${columns.join('')} FROM ${table.name} r WHERE ${filter.text} ORDER BY ${direction} LIMIT ${limit}`,
      values: [
        ...order.flatMap(({ sql: { values } }) => values),
        ...(marked?.values ?? []),
        ...filter.values,
      ],
    }
  })
  if (branches.length === 1) return branches[0]!
  const union = branches.map(({ text }) => `SELECT * FROM (${text})`).join(' UNION ')
  return {
    text: `SELECT * FROM (${union}) ORDER BY ${direction} LIMIT ${limit}`,
    values: branches.flatMap(({ values }) => values),
  }
}

/** A condition on a record, for which absent counts as false. */
export const conditionSql = (alias: string, table: MappedTable, condition: Condition, tables: Tables): Sql =>
  new ConditionSql(tables).condition(alias, table, condition, false)

/** Equal records follow in the direction of the last order, so that one index serves both. */
const lastDir = (orderBy: readonly QueryOrder[]): 'asc' | 'desc' => orderBy.at(-1)?.dir ?? 'asc'

/** How the order values of a row are read. */
export function orderDecoders(
  { orderBy }: RecordQuery,
  table: MappedTable,
  tables: Tables,
): ((stored: SqlValue) => FieldValue)[] {
  const builder = new ConditionSql(tables)
  return orderBy.map(({ field }) => {
    const { column } = builder.columnOf('r', table, field)
    return (stored) => column?.encoding.decode(stored) ?? null
  })
}

type OrderColumn = Column & { dir: 'asc' | 'desc' }

/** The records after a place. The first bound is redundant, and lets the database start there in an index. */
function placeSql(
  order: readonly OrderColumn[],
  values: readonly FieldValue[],
  id: string,
  idDir: 'asc' | 'desc',
): Sql {
  let rest = sql(`r.id ${idDir === 'asc' ? '>' : '<'} ?`, id)
  for (const [index, column] of [...order.entries()].reverse()) {
    const value = encode(column, values[index] ?? null)
    const equal: Sql = sqlOf(column, (text) => `${text} IS ?`, value)
    rest = join([beyond(column, value), join([equal, rest], ' AND ')], ' OR ')
  }
  const [first] = order
  if (first === undefined) return rest
  return join([bound(first, encode(first, values[0] ?? null)), rest], ' AND ')
}

const encode = ({ column }: Column, value: FieldValue): SqlValue => column?.encoding.encode(value) ?? null

function sqlOf({ sql: { text, values } }: Column, write: (text: string) => string, ...more: SqlValue[]): Sql {
  return { text: write(text), values: [...values, ...more] }
}

/** Values that follow one: absent sorts lowest. */
function beyond(column: OrderColumn, value: SqlValue): Sql {
  if (column.dir === 'asc')
    return value === null
      ? sqlOf(column, (text) => `${text} IS NOT NULL`)
      : sqlOf(column, (text) => `${text} > ?`, value)
  if (value === null) return constant(false)
  return join(
    [sqlOf(column, (text) => `${text} < ?`, value), sqlOf(column, (text) => `${text} IS NULL`)],
    ' OR ',
  )
}

/** Values that follow one, and the value itself. */
function bound(column: OrderColumn, value: SqlValue): Sql {
  if (value === null)
    return column.dir === 'asc' ? constant(true) : sqlOf(column, (text) => `${text} IS NULL`)
  if (column.dir === 'asc') return sqlOf(column, (text) => `${text} >= ?`, value)
  return join(
    [sqlOf(column, (text) => `${text} <= ?`, value), sqlOf(column, (text) => `${text} IS NULL`)],
    ' OR ',
  )
}

class ConditionSql {
  readonly #tables: Tables
  #aliases = 0

  constructor(tables: Tables) {
    this.#tables = tables
  }

  /** @param isNegated whether absent must be false, not absent */
  condition(alias: string, table: MappedTable, condition: Condition, isNegated: boolean): Sql {
    const below = (part: Condition): Sql => this.condition(alias, table, part, isNegated)
    const settle = (part: Sql): Sql => (isNegated ? { ...part, text: `coalesce(${part.text}, 0)` } : part)
    switch (condition.op) {
      case 'constant':
        return constant(condition.value)
      case 'and':
      case 'or': {
        if (condition.parts.length === 0) return constant(condition.op === 'and')
        return join(condition.parts.map(below), condition.op === 'and' ? ' AND ' : ' OR ')
      }
      case 'not': {
        const { text, values } = this.condition(alias, table, condition.of, true)
        return { text: `NOT (${text})`, values }
      }
      case 'present':
        return sqlOf(this.columnOf(alias, table, condition.field), (text) => `${text} IS NOT NULL`)
      case 'is_true':
        return settle(sqlOf(this.columnOf(alias, table, condition.field), (text) => `${text} = 1`))
      case 'in': {
        const column = this.columnOf(alias, table, condition.field)
        const values = condition.values.flatMap((value) => exact(column, value))
        if (values.length === 0) return constant(false)
        return settle(sqlOf(column, (text) => `${text} IN (${values.map(() => '?').join(', ')})`, ...values))
      }
      case 'compare': {
        const left = this.columnOf(alias, table, condition.left)
        if ('value' in condition.right)
          return settle(compareValue(left, condition.operator, condition.right.value))
        const right = this.columnOf(alias, table, condition.right.field)
        const text = `${left.sql.text} ${operators[condition.operator]} ${right.sql.text}`
        return settle({ text, values: [...left.sql.values, ...right.sql.values] })
      }
      case 'starts_with':
      case 'ends_with':
      case 'contains':
        return settle(textTest(this.columnOf(alias, table, condition.field), condition.op, condition.text))
    }
  }

  /** The value of a field, read through a subquery for each reference. */
  columnOf(alias: string, table: MappedTable, { letterCase, ...field }: QueryField): Column {
    const column = this.#storedColumn(alias, table, field)
    if (letterCase === undefined) return column
    return { ...column, sql: { ...column.sql, text: `${letterCase}_case(${column.sql.text})` } }
  }

  #storedColumn(alias: string, table: MappedTable, { via, field }: QueryField): Column {
    const [reference, ...rest] = via
    if (reference === undefined && field === 'id') return { column: idColumn, sql: sql(`${alias}.id`) }
    if (reference === undefined) {
      const column = table.columns.find(({ id }) => id === field) ?? null
      return { column, sql: sql(column === null ? 'NULL' : `${alias}.${column.value}`) }
    }
    const key = table.columns.find(({ id }) => id === reference.field)
    const target = this.#tables(reference.target)
    if (key === undefined || target === null) return { column: null, sql: sql('NULL') }
    const inner = `t${(this.#aliases += 1)}`
    const value = this.#storedColumn(inner, target, { via: rest, field })
    const visible = this.condition(inner, target, reference.visible, false)
    return {
      column: value.column,
      sql: {
        text: `(SELECT ${value.sql.text} FROM ${target.name} ${inner} WHERE ${inner}.id = ${alias}.${key.value} AND (${visible.text}))`,
        values: [...value.sql.values, ...visible.values],
      },
    }
  }
}

const idColumn = { encoding: encodingOf({ type: 'text' }) }

const operators = { '==': '=', '!=': '<>', '<': '<', '<=': '<=', '>': '>', '>=': '>=' } as const

/** The value as it is stored; none if no stored value can equal it. */
function exact({ column }: Column, value: FieldValue): SqlValue[] {
  if (column === null || value === null) return []
  const bounded = column.encoding.bound(value)
  return bounded.isExact ? [bounded.floor] : []
}

function compareValue(column: Column, operator: keyof typeof operators, value: FieldValue): Sql {
  if (column.column === null || value === null) return constant(false)
  const { floor, isExact } = column.column.encoding.bound(value)
  if (isExact) return sqlOf(column, (text) => `${text} ${operators[operator]} ?`, floor)
  // Between two values that the column can store, or beyond all of them.
  if (operator === '==') return constant(false)
  if (operator === '!=') return sqlOf(column, (text) => `${text} IS NOT NULL`)
  const isBelow = operator === '<' || operator === '<='
  return sqlOf(column, (text) => `${text} ${isBelow ? '<=' : '>'} ?`, floor)
}

function textTest(column: Column, op: 'starts_with' | 'ends_with' | 'contains', text: string): Sql {
  if (text === '') return sqlOf(column, (value) => `${value} IS NOT NULL`)
  const length = [...text].length
  switch (op) {
    case 'contains':
      return sqlOf(column, (value) => `instr(${value}, ?) > 0`, text)
    case 'ends_with':
      return sqlOf(column, (value) => `substr(${value}, -${length}) = ?`, text)
    case 'starts_with': {
      const from = sqlOf(column, (value) => `${value} >= ?`, text)
      return join([from, sqlOf(column, (value) => `substr(${value}, 1, ${length}) = ?`, text)], ' AND ')
    }
  }
}
