// What differs between two generations, as the surface gives it (completions 4).
import type { ChangeView } from '#kernel/wire/index.ts'
import type { OrgReader } from '../../ports/org-store.ts'
import { pastChanges } from '../../pipeline/index.ts'
import type { Asking } from '../caller.ts'
import { changeViews } from './change-view.ts'

/** Changes that one answer shows; `total` says how many there are. */
export const mostChanges = 1000

export interface PastChangeViews {
  changes: ChangeView[]
  total: number
}

/** The changes between two generations, as far as somebody may see them. @throws AlmanacError `generation.not_found`. */
export function pastChangeViews(
  reader: OrgReader,
  from: number,
  to: number,
  { access, sight }: Pick<Asking, 'access' | 'sight'>,
): PastChangeViews {
  const { changes, total } = pastChanges(reader, from, to, sight, mostChanges)
  return { changes: changeViews({ rows: [...changes], findings: [], access }), total }
}
