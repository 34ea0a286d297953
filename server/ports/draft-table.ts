// The drafts in the store. The key is a symbol, so that a module that does not import it cannot reach a draft:
// only server/pipeline/draft-access.ts and the storage may (.dependency-cruiser.mjs, rule one-door-to-drafts).
import type { ComponentId } from '#kernel/components/component.ts'
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
  one(id: ComponentId): DraftRow | undefined
  /** What a user discarded last. */
  discarded(user: string): DiscardedBatch | undefined
}

export interface WritableDraftTable extends DraftTable {
  put(row: DraftRow): void
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
