// The version of a record in ETag and If-Match.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'

export const etagOf = (version: number): string => `"${version}"`

/**
 * The version of If-Match; undefined without the header, and for `*`, which any version matches.
 * @throws AlmanacError `request.malformed`, `request.precondition_required`
 */
export function versionOf(
  header: string | undefined,
  { required }: { required: boolean },
): number | undefined {
  if (header === undefined) {
    if (!required) return undefined
    throw new AlmanacError(
      'request.precondition_required',
      'Send the version of the record in If-Match, such as If-Match: "3". The ETag of the record contains it.',
    )
  }
  if (header.trim() === '*') return undefined
  const version = /^\s*"(\d{1,15})"\s*$/.exec(header)?.[1]
  if (version === undefined)
    throw new AlmanacError(
      'request.malformed',
      `If-Match: ${header} is not the version of a record. Send the ETag of the record, such as "3".`,
    )
  return Number(version)
}
