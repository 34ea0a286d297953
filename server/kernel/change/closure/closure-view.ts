// What picked drafts take along, as a plan answers it: types only, for server and page alike (studio: Review).
import type { ComponentId } from '../../components/component.ts'
import type { Because } from './need.ts'

export interface NeedView {
  /** The draft that comes along. */
  id: ComponentId
  /** Some of the reasons, each of one picked draft or of one that came along itself. */
  because: Because[]
  /** How many reasons there are. */
  reasons: number
}

export interface DraftNeedView extends NeedView {
  /** The picked drafts that take it along, also by way of others; at most 1,000. */
  takenBy: ComponentId[]
}

/** `closure` of `POST /metadata/v3/plan`, where it names drafts by id. */
export interface ClosureView {
  /** Drafts that were picked and change something. */
  picked: ComponentId[]
  needed: DraftNeedView[]
  /** Drafts that may stay. */
  free: ComponentId[]
  /** How many there are of each, where the lists are cut. */
  totals: { picked: number; needed: number; free: number }
  /** Whether the plan that came with it holds what is needed; otherwise it holds the picked drafts alone. */
  included: boolean
}
