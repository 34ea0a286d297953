// The org as verbs use it, in a local folder or behind a server. The shapes are those of the HTTP surface.
import type {
  Budget,
  ChangeCounts,
  ChangeDescription,
  InvalidComponent,
  ValueChange,
} from '#kernel/change/index.ts'
import type { ComponentId } from '#kernel/components/component.ts'
import type { ScopePath } from '#kernel/components/scopes.ts'
import type { Resolution } from '#kernel/config/index.ts'
import type { Finding } from '#kernel/errors/finding.ts'
import type {
  ChangeRequestDetailOf,
  ChangeRequestState,
  ChangeRequestSummary,
} from '#kernel/requests/index.ts'
import type { Usage } from '#kernel/graph/index.ts'
import type { AccessReport } from '#wire/people.ts'
import type {
  ResolutionStep,
  EvaluateOutcome,
  ResultSource,
  RecomputeOutcome,
  ReplayOutcome,
  ResultView,
} from '../evaluation/index.ts'
import type { AuditSearch, LazyList } from '../pipeline/index.ts'
import type { Denial } from '../access/index.ts'
import type { IssuedSecret } from '../clients/index.ts'
import type { AuditRow, DraftRow, GenerationRow, OrgProperties } from '../ports/org-store.ts'

/** The change list of a verb. */
export type ChangeListInput =
  | { kind: 'directory'; dir: string; prune: boolean }
  | { kind: 'drafts'; ids?: readonly ComponentId[] | undefined }
  | {
      kind: 'components'
      components: readonly unknown[]
      removals: readonly ComponentId[]
      invalidComponents?: readonly InvalidComponent[]
    }
  | RestoreInput

/** Older content as a change list. */
export type RestoreInput =
  | { kind: 'generation'; generation: number }
  | {
      kind: 'revert'
      generation: number
      components?: readonly ComponentId[]
      without?: readonly ComponentId[]
    }

export interface ShownChange {
  kind: 'added' | 'changed' | 'renamed' | 'removed'
  id: ComponentId
  words: ChangeDescription
  values: readonly ValueChange[]
  before: unknown
  after: unknown
  renamedFrom?: string
  /** Permissions that the caller lacks for it; null if none. */
  lacks: string | null
}

export interface ShownPlan {
  lineage: string
  base: number
  changeDigest: string
  counts: ChangeCounts
  budget: Budget
  changes: LazyList<ShownChange>
  total: number
  findings: Finding[]
  /** Number of findings if the list is cut. */
  findingsTotal: number
  denials: readonly Denial[]
}

export interface ApplyResult {
  /** The new generation; the active one if nothing changed. */
  generation: number
  unchanged: boolean
  changes: LazyList<ShownChange>
  counts: ChangeCounts
  findings: Finding[]
  findingsTotal: number
  /** Bytes of slices: `used` is before this apply. Null if unknown. */
  budget: Budget | null
  ms: number
}

export interface ApplyOptions {
  base?: number
  /** Lineage of the org that the plan was made for. */
  lineage?: string
  changeDigest?: string
  /** The base generation of the plan. */
  planBase?: number
  rationale?: string
}

export interface ResolutionQuery {
  set: string
  key?: string | null
  scope?: ScopePath
  asOf?: string | null
  generation?: number
}

export interface Evaluation {
  expression: string
  inputs?: unknown
  asOf?: string | null
  scope?: ScopePath
  generation?: number
  store?: string
}

export interface OrgApi {
  facts(): Promise<Pick<OrgProperties, 'lineage' | 'name' | 'environment'>>
  /** `rationale` is stored with each flag that restored content extends. */
  plan(list: ChangeListInput, rationale?: string): Promise<ShownPlan>
  apply(list: ChangeListInput, terms: ApplyOptions): Promise<ApplyResult>
  /** Changes between two generations; `to` defaults to the active one. */
  diff(from: number, to: number | undefined): Promise<LazyList<ShownChange>>
  generations(limit: number): Promise<{ active: number; generations: GenerationRow[] }>
  retrieve(
    dir: string,
    generation: number | undefined,
    progress: (done: number) => void,
  ): Promise<RetrieveResult>
  resolve(question: ResolutionQuery): Promise<Resolution>
  explain(question: ResolutionQuery): Promise<{
    resolution: Resolution | null
    error: { code: string; detail: string } | null
    steps: ResolutionStep[]
  }>
  evaluate(evaluation: Evaluation): Promise<EvaluateOutcome>
  replay(given: ResultSource): Promise<ReplayOutcome>
  recompute(given: ResultSource & { store?: boolean }): Promise<RecomputeOutcome>
  results(limit: number): Promise<ResultView[]>
  /** The text of the bundle. */
  evidence(resultId: string): Promise<string>
  /** @throws AlmanacError user.not_found, access.denied */
  accessOf(user: string): Promise<AccessReport>
  whereUsed(id: ComponentId, member: string | undefined): Promise<{ usages: Usage[]; entries: number }>
  /** TypeScript declarations. */
  types(): Promise<string>
  /** The entries of a set and its definition, at a generation. */
  components(
    type: 'config_set' | 'config_entry',
    set: string,
    generation: number | undefined,
  ): Promise<unknown[]>
  drafts(): Promise<DraftRow[]>
  /** Newest first, read lazily. */
  audit(filter: AuditSearch, limit: number): Promise<AsyncIterable<AuditRow>>
  clientSecret(client: string): Promise<IssuedSecret>
  readonly requests: RequestsApi
  close(): Promise<void>
}

export interface RetrieveResult {
  lineage: string
  generation: number
  written: number
  unchanged: number
  removed: number
}

export interface NewRequestOptions extends ApplyOptions {
  title?: string
  /** The date on which it is applied automatically. */
  applyOn?: string
}

/** The new request with the result of its validation. */
export type CreatedRequest = ChangeRequestSummary & { findings: Finding[] }

export type ShownRequest = ChangeRequestDetailOf<LazyList<ShownChange>>

export interface RequestsApi {
  /** Newest first. */
  list(states: readonly ChangeRequestState[] | undefined, limit: number): Promise<ChangeRequestSummary[]>
  get(id: string): Promise<ShownRequest>
  create(list: ChangeListInput, terms: NewRequestOptions): Promise<CreatedRequest>
  approve(id: string, digest: string, comment: string): Promise<ChangeRequestSummary>
  reject(id: string, reason: string): Promise<ChangeRequestSummary>
  withdraw(id: string, reason: string): Promise<ChangeRequestSummary>
  comment(id: string, text: string): Promise<ChangeRequestSummary>
  schedule(id: string, applyOn: string | null): Promise<ChangeRequestSummary>
  apply(id: string, digest: string | undefined): Promise<ApplyResult>
  /** Number of approvals that the org requires. */
  requiredApprovals(): Promise<number>
  /** The change request that waits for the approvals in force; null if the number is set. */
  setRequiredApprovals(required: number): Promise<ChangeRequestSummary | null>
}
