// The request and the result of an apply or a plan. Plain data, so that it can be sent to a worker.
import type {
  Budget,
  Change,
  ChangeCounts,
  ChangeKind,
  ChangeDescription,
  ClosureView,
  Digest,
  InvalidComponent,
} from '#kernel/change/index.ts'
import type { Component } from '#kernel/components/body-types.ts'
import type { ComponentId } from '#kernel/components/component.ts'
import type { SetSlice } from '#kernel/config/index.ts'
import type { Finding } from '#kernel/errors/finding.ts'
import type { Denial } from '../access/index.ts'
import type { CompanionWrite } from '../ports/companion-writes.ts'
import type { GenerationKind } from '#wire/index.ts'
import type { LazyList } from './lazy-list.ts'
import type { WriteRunner } from './write-queue.ts'

export type ChangeSource =
  /** Envelopes as a request holds them, hints included. */
  | {
      kind: 'components'
      components: readonly unknown[]
      removals?: readonly ComponentId[]
      prune?: boolean
      /** Components that the author has and that could not be read completely; their absence causes no findings. */
      invalidComponents?: readonly InvalidComponent[]
      breaking?: ConfirmedRemovals
      /** Texts of descriptions, by the key of the external service. */
      descriptions?: Readonly<Record<string, string>>
    }
  | { kind: 'directory'; dir: string; prune?: boolean; breaking?: ConfirmedRemovals }
  /**
   * Without `ids`, the drafts of the actor; with `dependencies`, also what those need. The drafts are deleted once
   * applied.
   */
  | {
      kind: 'drafts'
      ids?: readonly ComponentId[] | undefined
      dependencies?: boolean
      breaking?: ConfirmedRemovals
    }
  | GenerationSource
  | RevertSource
  | RequestSource

/** Removed objects whose use by clients the author confirms; a component that is not removed confirms it itself. */
type ConfirmedRemovals = readonly ComponentId[]

/** Returns to the content of an older generation. */
export interface GenerationSource {
  kind: 'generation'
  generation: number
  /** Components whose lost values and fields in use the author confirms. */
  breaking?: readonly ComponentId[]
}

/** Undoes what one generation changed; later changes stay. */
export interface RevertSource {
  kind: 'revert'
  generation: number
  /** Undoes only these of its changes; if omitted, all. */
  components?: readonly ComponentId[]
  /** Components that stay unchanged. */
  without?: readonly ComponentId[]
  /** Components that were changed since, and what each becomes over `base`. */
  settled?: readonly SettledChange[]
  /** As for a generation. */
  breaking?: readonly ComponentId[]
}

export interface SettledChange {
  id: ComponentId
  /** The envelope; null removes the component. */
  after: unknown
}

/** The change list of a change request, as it was at a revision. */
export interface RequestSource {
  kind: 'request'
  id: string
  revision: number
  /** The user who applies it; null if its date does, and for a plan. */
  appliedBy: string | null
  /** The author has seen this generation since, and wants the same changes. */
  base?: number
  /** Components that its author takes out of it. */
  without?: readonly ComponentId[]
}

/** What was imported for the external services of a change list, before its transaction. */
export interface ServiceImports {
  /** Hash of the stored description, by the key of the service. */
  hashes: Readonly<Record<string, string>>
  findings: readonly Finding[]
}

export interface ApplyRequest {
  source: ChangeSource
  imports?: ServiceImports
  /** Nothing is imported, because the list is only looked at: what it lacks is imported when it is planned or applied. */
  importsLater?: boolean
  /** The generation that the author saw; a directory contains its own, otherwise the active one. */
  base?: number
  /** Lineage of the org that the plan was created for; another one is refused as conflict.stale_plan. */
  lineage?: string
  /** Digest of the reviewed plan; a different change list is refused as conflict.stale_plan. */
  changeDigest?: string
  /** The generation that the reviewed plan was created over; any other is refused as conflict.stale_plan. */
  planBase?: number
  rationale?: string
  actor: string
  /** The command line on the org's own folder: a user who can write the folder sees everything. */
  isOperator?: boolean
  /** The user of the operating system who acts as `actor`. */
  operatorName?: string | undefined
  /** The user to whom the result is shown, if that is not the actor; null for a user who sees everything. */
  viewerKey?: string | null
  correlationId?: string
  /** Maximum number of changes and findings in the result; if omitted, all. */
  most?: number
  /** Which of the changes are in the result, instead of the first `most`. */
  page?: ChangePage
  /** Whether to include the names of all changes, in addition to the page. */
  includesIndex?: boolean
  /** Whether to return only the changes, without findings and slice budget. */
  skipsValidation?: boolean
  /** Whether to include what drafts that are named by id need. */
  includesClosure?: boolean
}

/** Three views of one component; null if it does not exist. */
export interface Conflict {
  id: ComponentId
  /** The component as the author saw it. */
  base: Component | null
  /** The component as it is now. */
  theirs: Component | null
  /** The component as the author wants it. */
  mine: Component | null
  /** Set if base and theirs are null because they are hidden, not absent. */
  hidden?: string
}

export interface ChangePage {
  from: number
  count: number
}

/** A change by its name. */
export interface IndexedChange {
  id: ComponentId
  kind: ChangeKind
  /** The id before a rename. */
  from?: ComponentId
}

export interface ChangeRow {
  change: Change
  words: ChangeDescription
  /** Permissions that the actor lacks for it: a system permission, or `edit:<set>`. */
  lacks: string[]
  /** What the author cannot see of it; it is omitted when the change is shown. */
  hidden?: 'before' | 'both'
}

export interface PlanOutcome {
  lineage: string
  /** The generation that the plan is based on. */
  base: number
  changeDigest: Digest
  counts: ChangeCounts
  budget: Budget
  /** Made as they are read; an array if they came from a worker. */
  changes: LazyList<ChangeRow>
  /** The number of changes and findings, if the lists are truncated. */
  total: number
  findings: Finding[]
  findingsTotal: number
  /** Whether a finding is an error. */
  refused: boolean
  denials: Denial[]
  /** The number of changes that are omitted because the viewer cannot see them. */
  hidden: number
  /** All of them in the order of `changes`, if requested. */
  index?: IndexedChange[]
  /** Set if the request asked for it and names drafts by id. */
  closure?: ClosureView
  ms: number
}

export interface ApplyOutcome extends PlanOutcome {
  /** The new generation; the active one if nothing changed. */
  generation: number
  unchanged: boolean
}

/** Facts about a waiting change list, in addition to the list. */
export interface ChangeRequestTerms {
  /** Id of the change request. */
  id: string
  /** The revision that is edited; null for a new one. */
  revision: number | null
  title: string
  /** The civil date on which it is applied automatically. */
  applyOn: string | null
}

/** Where jobs run: here, or in a worker next to the readers. */
export interface JobRunner {
  plan(request: ApplyRequest): Promise<PlanOutcome>
  /** Takes a turn for the write alone. `companion` is written in the same transaction. */
  commit(
    turn: WriteRunner,
    request: ApplyRequest,
    kind: GenerationKind,
    companion?: CompanionWrite,
  ): Promise<ApplyOutcome>
  /** Checks a change list and saves it as a change request instead of applying it. */
  submit(turn: WriteRunner, request: ApplyRequest, terms: ChangeRequestTerms): Promise<PlanOutcome>
  /** @throws AlmanacError storage.damaged if something that the active generation serves was altered */
  verify(): Promise<void>
  /** Materialises a set in another thread; if omitted, the readers' thread does so in pieces. */
  loadSlice?: SliceLoader
  close(): Promise<void>
}

/** Makes the slice of one set or flag at one generation; undefined if the key is neither. */
export type SliceLoader = (generation: number, set: string) => Promise<SetSlice | undefined>
