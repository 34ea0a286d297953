// How large a row can be: it is built in memory several times, and saves of users wait for it.
import { explainExtent } from '#kernel/components/json-extent.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'

const mebibyte = 1024 * 1024

/** More is not read: a quote that is never closed would otherwise take the whole file into memory. */
export const mostRowBytes = 4 * mebibyte

/** What a request can have that saves one record. */
export const longestRow = mebibyte
const mostValues = 10_000

/** Columns of a job, and the letters of a name. */
export const mostColumns = 1000
export const longestColumn = 200

/** @param missing whose absence can make a row so long */
export const tooLongRow = (line: number, missing: 'closing quote' | 'line break'): AlmanacError =>
  new AlmanacError(
    'ingest.row',
    `The row that begins in line ${line} is longer than ${mostRowBytes / mebibyte} MiB. Look for a missing ${missing}.`,
  )

/** Empty lines are kept until the next row: it has their bytes. @throws AlmanacError `ingest.row` */
export function requireBlankBytes(length: number, line: number): void {
  if (length > mostRowBytes)
    throw new AlmanacError(
      'ingest.row',
      `From line ${line} on, more than ${mostRowBytes / mebibyte} MiB are empty lines. Remove them.`,
    )
}

/** Why a row fails that could be read, but is larger than a record can be; null if it is not. */
export const largeRowFault = ({ length }: Uint8Array): string | null =>
  length > longestRow
    ? `The row is longer than ${longestRow / mebibyte} MiB, the most that one record can have.`
    : null

/** The same for a row of JSON, before its values are built: a short text can have millions of them. */
export function largeJsonFault(text: Uint8Array): string | null {
  const large = largeRowFault(text)
  if (large !== null) return large
  const extent = explainExtent(text, mostValues)
  return extent === null ? null : `The line ${extent}.`
}
