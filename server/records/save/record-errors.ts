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

/** The error of a request that only records that are stored here can have. */
export function notStored(object: string): AlmanacError {
  return new AlmanacError(
    'virtual.not_stored',
    `${object} is virtual: its rows are in a remote source. They can be read, queried and searched, and added, changed and deleted one by one.`,
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

/** The objects of a chain of saves: the user cannot see all of its records. */
const chainText = (chain: readonly string[]): string =>
  chain.map((record) => record.split('/')[0]).join(' → ')

/** @param chain the saves that led to the record, if it is not the one that was sent */
export function invalidRecord(
  object: string,
  chain: readonly string[],
  problems: readonly FieldProblem[],
): AlmanacError {
  const through = chain.length === 0 ? '' : ` (changed by ${chainText(chain)})`
  const reasons = problems.map(({ message }) => message).join(' ')
  return new AlmanacError('record.invalid', `The record of ${object}${through} is not valid. ${reasons}`, {
    details: problems,
  })
}

export function recordReferenced(
  object: string,
  id: string,
  visible: readonly string[],
  others: boolean,
): AlmanacError {
  const named = visible.join(', ')
  const hidden = visible.length === 0 ? 'records that you cannot see' : ', and others'
  return new AlmanacError(
    'record.referenced',
    `The record ${object}/${id} cannot be deleted, because other records refer to it: ${named}${others ? hidden : ''}. Change or delete those first.`,
    {
      details: [
        ...visible.map((record) => ({ record })),
        ...(others && visible.length > 0 ? [{ others: true }] : []),
      ],
    },
  )
}

interface ArchivedChange {
  /** The field that a save changes; null if the user cannot see it. */
  field: string | null
  /** The field with the archived value; null if the user cannot see it. */
  archived: string | null
  /** The fields with the as-of dates of its formula. */
  dates: readonly string[]
}

export function archivedRecord(object: string, { field, archived, dates }: ArchivedChange): AlmanacError {
  const read = field === null ? 'A field that you cannot see' : `${object}.${field}`
  const value = archived === null ? 'A value that you cannot see' : `The value of ${object}.${archived}`
  const dated = dates.length === 0 ? '' : `, or change ${dates.join(' or ')}`
  return new AlmanacError(
    'record.archived',
    `${read} cannot be changed. ${value} was computed from it, and its evidence is archived. Recompute the record first${dated}: then the value is computed again.`,
    { details: [{ field, archived, dates: [...dates] }] },
  )
}

/** @param on an object, or one of its records */
export function accessDenied(user: string, right: string, on: string): AlmanacError {
  const isRecord = on.includes('/')
  return new AlmanacError(
    'access.denied',
    isRecord
      ? `${user} can read ${on} but not ${right} it. Its owner, a sharing rule with read and write access, or "modifyAll" allows that.`
      : `${user} cannot ${right} records of ${on}. A permission set must allow "${right}" on ${on}.`,
    { details: [{ id: on, permission: right }] },
  )
}

export function tooDeep(chain: readonly string[], depth: number): AlmanacError {
  return new AlmanacError(
    'limit.save_depth',
    `The save changes records that change other records, more than ${depth} levels deep: ${chainText(chain)}. Change an automation, a roll-up or a formula in this chain.`,
  )
}

/** @param next the automations that would run next */
export function tooManyAutomations(next: readonly string[], depth: number): AlmanacError {
  return new AlmanacError(
    'limit.save_depth',
    `Automations after a commit trigger each other, more than ${depth} in a row: ${next.join(', ')} would run next. Give one of them a condition that ends this.`,
  )
}

const count = (bytes: number): string => bytes.toLocaleString('en')

/** @param largest the largest field of the event, with its bytes */
export function eventTooLarge(
  channel: string,
  {
    bytes,
    maxBytes,
    largest,
  }: { bytes: number; maxBytes: number; largest: { field: string; bytes: number } },
): AlmanacError {
  return new AlmanacError(
    'limit.event_too_large',
    `The event for ${channel} has ${count(bytes)} bytes, and the channel allows ${count(maxBytes)}. Its largest field is ${largest.field}, with ${count(largest.bytes)} bytes.`,
    { details: [{ channel, bytes, maxBytes, field: largest.field }] },
  )
}

export function tooSlow(record: string): AlmanacError {
  return new AlmanacError(
    'limit.save_deadline',
    `The save took more than 5 seconds, and was undone at ${record}. Save fewer records at once.`,
  )
}

export function callTooSlow(operation: string): AlmanacError {
  return new AlmanacError(
    'limit.save_deadline',
    `The operation ${operation} took more than 5 seconds, and was undone. Change fewer records in one call.`,
  )
}

export function tooManyRecords(chain: readonly string[], limit: number): AlmanacError {
  return new AlmanacError(
    'limit.save_records',
    `The save changes more than ${limit} records, at ${chainText(chain)}. Save fewer records at once.`,
  )
}
