// What a list of a virtual object asks of its source.
import type { ComponentView } from '#kernel/components/view.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { EvalInput } from '#kernel/expr/index.ts'
import type { RemotePlace } from '../remote-place.ts'
import type { RowFilter } from '../row-filter.ts'
import type { RowOrder } from '../row-order.ts'
import type { VirtualObject } from '../virtual-object.ts'
import { filterText } from './filter-text.ts'
import { literalOf } from './literal.ts'
import type { ListOptions } from './query-text.ts'

export interface ListRequest {
  object: VirtualObject
  /** Of the generation of the request: its value sets. */
  view: ComponentView
  /** `input` reads the configuration that the filter names. */
  filter: { by: RowFilter; input: Omit<EvalInput, 'field'> } | null
  /** Fields of the object, not formulas. */
  orderBy: readonly RowOrder[]
  /** The user's key, if only their rows are shown; null if all are. */
  owner: string | null
  /** Only rows with these ids; any row if omitted. Needs `pushdown.filter`. */
  ids?: ReadonlySet<string>
  /** Whether a field can be named in a warning; all can if omitted. */
  shows?: (field: string) => boolean
  /** At least 1. */
  limit: number
  /** Whether the source counts the whole list; only if its pushdown has `aggregate`. */
  count: boolean
  place: RemotePlace | null
}

/**
 * Null if no row can pass.
 * @throws AlmanacError `request.invalid`, and what the constants of the filter throw
 */
export function listOptions({ object, filter, orderBy, owner, ids, count }: ListRequest): ListOptions | null {
  const condition = filter === null ? true : filterText(filter.by.condition(filter.input), object)
  const owned = ownerText(object, owner)
  const named = ids === undefined ? true : idsText(object, ids)
  if (condition === false || owned === false || named === false) return null
  const parts = [condition, owned, named].filter((part) => typeof part === 'string')
  return {
    filter: parts.length < 2 ? parts[0] : parts.map((part) => `(${part})`).join(' and '),
    orderBy: orderOf(object, orderBy),
    count: count && object.source.body.pushdown.aggregate,
  }
}

/** True if the rows of every owner are shown. */
function ownerText({ key, body, ownerType, source }: VirtualObject, owner: string | null): string | boolean {
  if (body.ownerColumn === undefined || owner === null) return true
  if (!source.body.pushdown.filter)
    throw new AlmanacError(
      'request.invalid',
      `${key} has an owner column, but its source ${source.key} cannot filter. Set "pushdown.filter" of the source.`,
    )
  const literal = literalOf(owner, ownerType!)
  return literal === null ? false : `${body.ownerColumn} eq ${literal}`
}

/** False if no row can have one of the ids. */
function idsText({ body, keyType }: VirtualObject, ids: ReadonlySet<string>): string | false {
  const literals = [...ids].flatMap((id) => (id.isWellFormed() ? (literalOf(id, keyType) ?? []) : []))
  if (literals.length === 0) return false
  return literals.map((literal) => `${body.externalId} eq ${literal}`).join(' or ')
}

/** With the key at the end, so that the order is total and pages can follow it. */
function orderOf(object: VirtualObject, orderBy: readonly RowOrder[]): ListOptions['orderBy'] {
  const { key, source, body, fields } = object
  if (!source.body.pushdown.sort) {
    if (orderBy.length === 0) return []
    throw new AlmanacError(
      'request.invalid',
      `orderBy: ${key} is virtual, and its source ${source.key} does not sort: "pushdown.sort" is false. Remove the order.`,
    )
  }
  const order = orderBy.map(({ field, dir }) => {
    const mapped = fields.get(field)
    if (mapped !== undefined) return { remote: mapped.remote, dir }
    throw new AlmanacError(
      'request.invalid',
      `orderBy: ${key} has no field ${field} that its source can sort by. Order by a field of the source.`,
    )
  })
  const isTotal = order.some(({ remote }) => remote === body.externalId)
  return isTotal ? order : [...order, { remote: body.externalId, dir: 'asc' }]
}
