// Query options of an OData request.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { VirtualObject } from '../virtual-object.ts'

export interface ListOptions {
  /** Not encoded; undefined if every row passes. */
  filter?: string | undefined
  orderBy: readonly { remote: string; dir: 'asc' | 'desc' }[]
  count: boolean
  top?: number | undefined
  skip?: number | undefined
}

/** Many servers accept no longer URL. */
const mostCharacters = 8000

/** @throws AlmanacError `request.invalid` if no URL can contain the filter */
export function listQuery(object: VirtualObject, options: ListOptions): string {
  const { filter, orderBy, count, top, skip } = options
  const order = orderBy.map(({ remote, dir }) => `${remote} ${dir}`).join(',')
  const parts = [
    selectQuery(object),
    filter === undefined ? null : `$filter=${encodeURIComponent(filter)}`,
    order === '' ? null : `$orderby=${encodeURIComponent(order)}`,
    count ? '$count=true' : null,
    skip === undefined || skip === 0 ? null : `$skip=${skip}`,
    top === undefined ? null : `$top=${top}`,
  ].filter((part) => part !== null)
  const query = parts.join('&')
  if (query.length <= mostCharacters) return query
  throw new AlmanacError(
    'request.invalid',
    `The request to the source of ${object.key} has ${query.length} characters; at most ${mostCharacters} are allowed. ` +
      'Shorten the filter, for example the list after "in".',
  )
}

export const selectQuery = ({ select }: VirtualObject): string =>
  `$select=${encodeURIComponent(select.join(','))}`
