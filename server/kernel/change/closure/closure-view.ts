// The drafts that picked drafts need, in the response of a plan: types only, shared by server and studio.
import type { ComponentId } from '../../components/component.ts'
import type { NeedReason } from './need.ts'

export interface NeedView {
  /** The draft that is needed. */
  id: ComponentId
  /** Some of the reasons, each from a picked draft or from a draft that is itself needed. */
  because: NeedReason[]
  /** How many reasons there are. */
  reasons: number
}

export interface DraftNeedView extends NeedView {
  /** The picked drafts that need it, directly or through others; at most 1,000. */
  takenBy: ComponentId[]
}

/** `closure` of `POST /metadata/v3/plan`, if the request names drafts by id. */
export interface ClosureView {
  /** Drafts that were picked and change something. */
  picked: ComponentId[]
  needed: DraftNeedView[]
  /** Drafts that can be left out. */
  free: ComponentId[]
  /** The totals, because the lists can be truncated. */
  totals: { picked: number; needed: number; free: number }
  /** Whether the plan includes the needed drafts; otherwise it includes only the picked ones. */
  included: boolean
}
