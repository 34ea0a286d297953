// The changes between two generations, for the HTTP surface.
import type { ChangeView } from '#wire/index.ts'
import type { OrgReader } from '../../ports/org-store.ts'
import { changeViews, pastChanges } from '../../pipeline/index.ts'
import type { RequestContext } from '../request-context.ts'

/** Maximum number of changes in a response; `total` is their full number. */
export const maxChanges = 1000

export interface PastChangeViews {
  changes: ChangeView[]
  total: number
}

/** Returns the changes between two generations that the caller can see. @throws AlmanacError `generation.not_found`. */
export function pastChangeViews(
  reader: OrgReader,
  from: number,
  to: number,
  { access, viewer }: Pick<RequestContext, 'access' | 'viewer'>,
): PastChangeViews {
  const { changes, total } = pastChanges(reader, from, to, viewer, maxChanges)
  return { changes: [...changeViews({ rows: [...changes], findings: [], access })], total }
}
