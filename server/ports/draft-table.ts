// The drafts in the store. The key is a symbol, so a module that does not import it cannot reach a draft: only
// server/pipeline/draft-access.ts and the storage can (.dependency-cruiser.mjs, rule one-door-to-drafts).
import type { ComponentId, ComponentType } from '#kernel/components/component.ts'
import type { ComponentIdentity } from './identities.ts'
import type { DraftSummary, DraftRow } from '#wire/index.ts'

export const draftTable: unique symbol = Symbol('drafts')

/** Drafts that a user discarded together, in the order in which they were named. Their texts stay in the store. */
export interface DiscardedBatch {
  id: string
  user: string
  at: string
  drafts: readonly Pick<DraftRow, 'id' | 'version'>[]
}

export interface DraftTable {
  /** By type and key. */
  all(): DraftRow[]
  /** The same of one type. */
  ofType(type: ComponentType): DraftRow[]
  /** Bytes of the longest draft of a type; 0 without one. Reads no text. */
  longestOf(type: ComponentType): number
  /** The same without their texts; fast for thousands of drafts. */
  summaries(): readonly DraftSummary[]
  /** The same in steps, for a thread that must stay responsive. */
  summarySteps(): Generator<void, readonly DraftSummary[]>
  /** Ids of the drafts of an author, by type and key. */
  idsOf(author: string): ComponentId[]
  count(): number
  /** A text that identifies the state of all drafts: it differs after any change to a draft. */
  etag(): string
  get(id: ComponentId): DraftRow | undefined
  /** The removed components that drafts restore, by the id of the draft. */
  restoredIdentities(): ReadonlyMap<ComponentId, ComponentIdentity>
  /** The drafts that a user discarded last. */
  lastDiscardedBatch(user: string): DiscardedBatch | undefined
}

export interface WritableDraftTable extends DraftTable {
  /** Keeps the component that the draft restores. */
  put(row: DraftRow): void
  setRestored(id: ComponentId, identity: ComponentIdentity): void
  delete(id: ComponentId): void
  /** Keeps the current state of drafts, replacing those that the same user discarded before. */
  saveDiscardedBatch(batch: Omit<DiscardedBatch, 'drafts'>, ids: readonly ComponentId[]): void
  /** Puts a draft back exactly as the user discarded it. */
  restoreDiscarded(user: string, id: ComponentId): void
  deleteDiscarded(user: string): void
}

export interface DraftReader {
  readonly [draftTable]: DraftTable
}

export interface DraftTransactor {
  readonly [draftTable]: WritableDraftTable
}
