// A page of records as it is sent: its warnings in the shape of errors.
import type { FoundRecords } from '../../records/index.ts'
import type { QueryReply } from '#wire/records.ts'
import { problemOf } from '../problem.ts'
import type { RequestContext } from '../request-context.ts'

export function pageReply(
  { by }: Pick<RequestContext, 'by'>,
  { warnings, ...found }: FoundRecords,
): QueryReply {
  if (warnings === undefined) return found
  return { ...found, warnings: warnings.map((warning) => problemOf(warning, by.correlationId)) }
}
