// What an apply or a plan is asked for, and what it answers. Plain data, so that it can cross to a worker.
import type {
  Budget,
  Change,
  ChangeCounts,
  ChangeKind,
  ChangeWords,
  ClosureView,
  Digest,
  Unsound,
} from '#kernel/change/index.ts'
import type { Component } from '#kernel/components/body-types.ts'
import type { ComponentId } from '#kernel/components/component.ts'
import type { SetSlice } from '#kernel/config/index.ts'
import type { Finding } from '#kernel/errors/finding.ts'
import type { Denial } from '../access/index.ts'
import type { GenerationKind, OrgTransactor } from '../ports/org-store.ts'
import type { Rows } from './rows.ts'

export type ChangeSource =
  /** Envelopes as a request holds them, hints included. */
  | {
      kind: 'components'
      components: readonly unknown[]
      removals?: readonly ComponentId[]
      prune?: boolean
      /** What its author has and could not read whole; nothing is said because of its absence. */
      unsound?: readonly Unsound[]
    }
  | { kind: 'directory'; dir: string; prune?: boolean }
  /** Without `ids` the drafts of the actor; with `dependencies` also what those need. They are gone once applied. */
  | { kind: 'drafts'; ids?: readonly ComponentId[] | undefined; dependencies?: boolean }
  /** Back to what an older generation held. */
  | { kind: 'generation'; generation: number }
  | RevertSource
  | RequestSource

/** What one generation changed, undone; what came after it stays. */
export interface RevertSource {
  kind: 'revert'
  generation: number
  /** Only these of its changes; all if omitted. */
  components?: readonly ComponentId[]
  /** Stays as it is now. */
  without?: readonly ComponentId[]
  /** Of what was changed since: what it becomes over `base`. */
  settled?: readonly SettledChange[]
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
  /** Who applies it; null where its date does, and for a plan. */
  by: string | null
  /** Its author has seen this generation since, and wants the same. */
  base?: number
  /** Components that its author takes out of it. */
  without?: readonly ComponentId[]
}

export interface ApplyRequest {
  source: ChangeSource
  /** The generation that the author saw; a directory knows its own, otherwise the active one. */
  base?: number
  /** Lineage of the org that the plan was made for; another one is refused as conflict.stale_plan. */
  lineage?: string
  /** Digest of the reviewed plan; another change list is refused as conflict.stale_plan. */
  changeDigest?: string
  /** The generation that the reviewed plan was made over; any other is refused as conflict.stale_plan. */
  planBase?: number
  rationale?: string
  actor: string
  /** The command line on the org's own folder: whoever can write that sees all of it. */
  operator?: boolean
  /** The user of the operating system who acts as `actor`. */
  operatorName?: string | undefined
  /** Who is told, where that is not the actor; null for somebody who sees everything. */
  shownTo?: string | null
  correlationId?: string
  /** Most changes and findings in the answer; all where left out. */
  most?: number
  /** Which of the changes are in the answer, instead of the first `most`. */
  page?: ChangePage
  /** Name every change, beside the page of them. */
  index?: boolean
  /** Only what changes: no findings, no cost. */
  unjudged?: boolean
  /** Say what drafts that are named by id take along. */
  closure?: boolean
}

/** Three views of one component; null where it is not there. */
export interface Conflict {
  id: ComponentId
  /** As the author saw it. */
  base: Component | null
  /** As it is now. */
  theirs: Component | null
  /** As the author wants it. */
  mine: Component | null
  /** Said where base and theirs are not null for being absent. */
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
  words: ChangeWords
  /** Permissions that the actor lacks for it: a system permission, or `edit:<set>`. */
  lacks: string[]
  /** What of it its author may not see; `told` leaves that out. */
  hidden?: 'before' | 'both'
}

export interface PlanOutcome {
  lineage: string
  /** The generation that the plan stands on. */
  base: number
  changeDigest: Digest
  counts: ChangeCounts
  budget: Budget
  /** Made as they are read; an array where they came from a worker. */
  changes: Rows<ChangeRow>
  /** How many changes and findings there are, where the lists are cut. */
  total: number
  findings: Finding[]
  findingsTotal: number
  /** Whether a finding is an error. */
  refused: boolean
  denials: Denial[]
  /** How many changes are left out because whoever is told may not see them. */
  hidden: number
  /** All of them in the order of `changes`, where that was asked for. */
  index?: IndexedChange[]
  /** Where the request asked for it and names drafts by id. */
  closure?: ClosureView
  ms: number
}

export interface ApplyOutcome extends PlanOutcome {
  /** The new generation; the active one where nothing changed. */
  generation: number
  unchanged: boolean
}

/** What is said of a change list that waits for approval, besides the list. */
export interface WaitingTerms {
  /** Of the change request. */
  id: string
  /** The revision that is edited; null for a new one. */
  revision: number | null
  title: string
  /** The civil date on which it applies itself. */
  applyOn: string | null
}

/** Called inside the transaction, after the generation is written. */
export type Beside = (transactor: OrgTransactor) => void

/** Where jobs run: here, or in a worker beside the readers. */
export interface JobRunner {
  plan(request: ApplyRequest): Promise<PlanOutcome>
  /** `beside` writes in the same transaction what belongs to the apply; it cannot cross to a worker. */
  apply(request: ApplyRequest, kind: GenerationKind, beside?: Beside): Promise<ApplyOutcome>
  /** Judges a change list and keeps it as a change request instead of applying it. */
  keep(request: ApplyRequest, terms: WaitingTerms): Promise<PlanOutcome>
  /** @throws AlmanacError storage.damaged if something that the active generation serves was altered */
  verify(): Promise<void>
  /** Materialises a set elsewhere than here; where it is left out, the readers' thread does so in pieces. */
  slice?: SliceMaker
  close(): Promise<void>
}

/** One set or flag at one generation; undefined where it is none. */
export type SliceMaker = (generation: number, set: string) => Promise<SetSlice | undefined>
