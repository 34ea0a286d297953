// The drafts in the store. The key is a symbol, so that a module that does not import it cannot reach a draft:
// only server/pipeline/draft-access.ts and the storage may (.dependency-cruiser.mjs, rule one-door-to-drafts).
import type { ComponentId } from '#kernel/components/component.ts'
import type { DraftBrief, DraftRow } from '#kernel/wire/index.ts'

export const draftTable: unique symbol = Symbol('drafts')

/** Drafts that a user discarded at once, as they were. */
export interface DiscardedRow {
  id: string
  user: string
  at: string
  rows: DraftRow[]
}

export interface DraftTable {
  /** By type and key. */
  all(): DraftRow[]
  /** The same without their texts, which is quick for thousands of them. */
  briefs(): readonly DraftBrief[]
  one(id: ComponentId): DraftRow | undefined
  /** What a user discarded last. */
  discarded(user: string): DiscardedRow | undefined
}

export interface WritableDraftTable extends DraftTable {
  put(row: DraftRow): void
  delete(id: ComponentId): void
  /** Replaces what the same user discarded before. */
  keepDiscarded(row: DiscardedRow): void
  deleteDiscarded(user: string): void
}

export interface DraftReads {
  readonly [draftTable]: DraftTable
}

export interface DraftWrites {
  readonly [draftTable]: WritableDraftTable
}
