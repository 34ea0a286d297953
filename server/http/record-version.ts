// The version of a record in ETag and If-Match.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { RecordJson } from '../records/index.ts'

/** The header ETag of a record; none for a row whose source has no ETags. */
export const etagHeader = ({ version }: Pick<RecordJson, 'version'>): Record<string, string> =>
  version === null ? {} : { ETag: `"${version}"` }

/** The version of a row of a virtual object: an opaque text. @throws AlmanacError as `versionOf` */
export function rowVersionOf(
  header: string | undefined,
  { required }: { required: boolean },
): string | undefined {
  return textOf(header, required, /^\s*"([\w-]{1,8000})"\s*$/)
}

/**
 * The version of If-Match; undefined without the header, and for `*`, which any version matches.
 * @throws AlmanacError `request.malformed`, `request.precondition_required`
 */
export function versionOf(
  header: string | undefined,
  { required }: { required: boolean },
): number | undefined {
  const version = textOf(header, required, /^\s*"(\d{1,15})"\s*$/)
  return version === undefined ? undefined : Number(version)
}

function textOf(header: string | undefined, required: boolean, form: RegExp): string | undefined {
  if (header === undefined) {
    if (!required) return undefined
    throw new AlmanacError(
      'request.precondition_required',
      'Send the version of the record in If-Match, such as If-Match: "3". The ETag of the record contains it.',
    )
  }
  if (header.trim() === '*') return undefined
  const version = form.exec(header)?.[1]
  if (version !== undefined) return version
  throw new AlmanacError(
    'request.malformed',
    `If-Match: ${header.slice(0, 200)} is not the version of a record. Send the ETag of the record, such as "3".`,
  )
}
