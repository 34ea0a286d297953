// The drafts in the store. The key is a symbol, so that a module that does not import it cannot reach a draft:
// only server/pipeline/draft-access.ts and the storage may (.dependency-cruiser.mjs, rule one-door-to-drafts).
import type { ComponentId } from '#kernel/components/component.ts'
import type { ComponentIdentity } from './identities.ts'
import type { DraftBrief, DraftRow } from '#kernel/wire/index.ts'

export const draftTable: unique symbol = Symbol('drafts')

/** Drafts that a user discarded at once, in the order in which they were named. Their texts stay in the store. */
export interface DiscardedBatch {
  id: string
  user: string
  at: string
  drafts: readonly Pick<DraftRow, 'id' | 'version'>[]
}

export interface DraftTable {
  /** By type and key. */
  all(): DraftRow[]
  /** The same without their texts, which is quick for thousands of them. */
  briefs(): readonly DraftBrief[]
  /** The same in steps, for a thread that others wait for. */
  briefSteps(): Generator<void, readonly DraftBrief[]>
  /** Ids of the drafts of an author, by type and key. */
  idsOf(author: string): ComponentId[]
  count(): number
  /** One text for the state of all drafts: a different one after any change of a draft. */
  mark(): string
  one(id: ComponentId): DraftRow | undefined
  /** The removed components that drafts bring back, by the id of the draft. */
  restored(): ReadonlyMap<ComponentId, ComponentIdentity>
  /** What a user discarded last. */
  discarded(user: string): DiscardedBatch | undefined
}

export interface WritableDraftTable extends DraftTable {
  /** What the draft brings back stays. */
  put(row: DraftRow): void
  setRestored(id: ComponentId, identity: ComponentIdentity): void
  delete(id: ComponentId): void
  /** Keeps drafts as they are now, instead of what the same user discarded before. */
  keepDiscarded(batch: Omit<DiscardedBatch, 'drafts'>, ids: readonly ComponentId[]): void
  /** Puts a draft back exactly as the user discarded it. */
  restoreDiscarded(user: string, id: ComponentId): void
  deleteDiscarded(user: string): void
}

export interface DraftReads {
  readonly [draftTable]: DraftTable
}

export interface DraftWrites {
  readonly [draftTable]: WritableDraftTable
}
