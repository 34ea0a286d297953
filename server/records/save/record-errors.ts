// Errors of saves.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { didYouMean } from '#kernel/errors/suggest.ts'
import type { FieldProblem } from '#kernel/records/index.ts'

export function unknownObject(object: string, known: Iterable<string>): AlmanacError {
  return new AlmanacError(
    'object.not_found',
    `The object "${object}" does not exist.${didYouMean(object, [...known])}`,
  )
}

export function recordNotFound(object: string, id: string): AlmanacError {
  return new AlmanacError('record.not_found', `${object} has no record ${id}.`)
}

export function staleVersion(object: string, id: string, sent: number, found: number): AlmanacError {
  return new AlmanacError(
    'conflict.stale_version',
    `The record ${object}/${id} has version ${found}, not ${sent}: it was changed. Read it again and repeat the change.`,
    { details: [{ version: found }] },
  )
}

/** @param chain the saves that led to the record, if it is not the one that was sent */
export function invalidRecord(
  object: string,
  chain: readonly string[],
  problems: readonly FieldProblem[],
): AlmanacError {
  const through = chain.length === 0 ? '' : ` (changed by ${chain.join(' → ')})`
  const reasons = problems.map(({ message }) => message).join(' ')
  return new AlmanacError('record.invalid', `The record of ${object}${through} is not valid. ${reasons}`, {
    details: problems,
  })
}

export function recordReferenced(object: string, id: string, referrers: readonly string[]): AlmanacError {
  return new AlmanacError(
    'record.referenced',
    `The record ${object}/${id} cannot be deleted, because other records refer to it: ${referrers.join(', ')}. Change or delete those first.`,
    { details: referrers.map((record) => ({ record })) },
  )
}

export function tooDeep(chain: readonly string[], depth: number): AlmanacError {
  return new AlmanacError(
    'limit.save_depth',
    `The save changes records that change other records, more than ${depth} levels deep: ${chain.join(' → ')}. Remove a roll-up or formula from this chain.`,
  )
}

export function tooSlow(record: string): AlmanacError {
  return new AlmanacError(
    'limit.save_deadline',
    `The save took more than 5 seconds, and was undone at ${record}. Save fewer records at once.`,
  )
}

export function tooManyRecords(chain: readonly string[], limit: number): AlmanacError {
  return new AlmanacError(
    'limit.save_records',
    `The save changes more than ${limit} records, at ${chain.join(' → ')}. Save fewer records at once.`,
  )
}
