// One page of a virtual object.
import type { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { RemotePlace } from './remote-place.ts'
import type { RemoteRow } from './remote-row.ts'

export interface RemotePage {
  rows: readonly RemoteRow[]
  /** Null after the last row. */
  next: RemotePlace | null
  /** How many rows the source counts in the whole list; null if it was not asked or counts others too. */
  count: number | null
  /** What is wrong with the page, which is shown nevertheless. */
  warnings: readonly AlmanacError[]
}
