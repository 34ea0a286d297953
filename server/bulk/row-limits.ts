// How long a row can be: a quote that is never closed would otherwise take the whole file into memory.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'

export const mostRowBytes = 16 * 1024 * 1024

export const tooLongRow = (line: number): AlmanacError =>
  new AlmanacError(
    'ingest.row',
    `The row that begins in line ${line} is longer than ${mostRowBytes / 1024 / 1024} MiB. Look for a quote that is not closed.`,
  )
