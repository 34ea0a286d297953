// Queries of commands, read page by page.
import type { QueryRequest, RecordJson } from '../records/index.ts'
import { UsageError } from './fail.ts'
import { listOption, textOption } from './options.ts'
import type { Call } from './command-definition.ts'
import type { RecordsApi } from './records-api.ts'

const maxPage = 2000

/** The query of --filter and --order. @throws UsageError */
export function queryOf(call: Call, object: string, fields: readonly string[]): Omit<QueryRequest, 'limit'> {
  const filter = textOption(call, 'filter')
  const orderBy = listOption(call, 'order').map((text) => {
    const [, field = '', dir = 'asc'] = /^([\w.]+)(?::(asc|desc))?$/.exec(text) ?? []
    if (field === '') throw new UsageError(`--order must be a field, or field:desc, not "${text}".`)
    return { field, dir: dir as 'asc' | 'desc' }
  })
  return { object, fields, orderBy, ...(filter === undefined ? {} : { filter }) }
}

export async function* queriedRecords(
  api: RecordsApi,
  query: Omit<QueryRequest, 'limit'>,
  limit: number,
): AsyncIterable<RecordJson> {
  let cursor: string | undefined
  for (let left = limit; left > 0;) {
    const request = { ...query, limit: Math.min(left, maxPage), ...(cursor === undefined ? {} : { cursor }) }
    const { records, nextCursor } = await api.query(request)
    yield* records
    left -= records.length
    if (nextCursor === null) return
    cursor = nextCursor
  }
}
