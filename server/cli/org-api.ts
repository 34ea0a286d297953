// The org as commands use it, in a local folder or behind a server. The shapes are those of the HTTP surface.
import type { Budget, Impact, InvalidComponent, Plan, RecordsImpact } from '#kernel/change/index.ts'
import type { ComponentId } from '#kernel/components/component.ts'
import type { ScopePath } from '#kernel/components/scopes.ts'
import type { Resolution } from '#kernel/config/index.ts'
import type { ChangeRequestState, ChangeRequestSummary } from '#kernel/requests/index.ts'
import type {
  ChangeView,
  SetResolutionExplanation,
  SubmittedRequestView,
  WhereUsedView,
} from '#wire/index.ts'
import type { AccessReport } from '#wire/people.ts'
import type {
  EvaluateOutcome,
  ResultSource,
  RecomputeOutcome,
  ReplayOutcome,
  ResultView,
} from '../evaluation/index.ts'
import type { AuditSearch, LazyAppliedView, LazyList, LazyPlanView } from '../pipeline/index.ts'
import type { LazyRequestView } from '../requests/index.ts'
import type { IssuedSecret } from '../clients/index.ts'
import type { AuditRow, DraftRow, GenerationRow } from '#wire/index.ts'
import type { CredentialsApi } from './credentials-api.ts'
import type { RecordsApi } from './records-api.ts'
import type { OrgProperties } from '../ports/org-properties.ts'

/** The change list of a command. */
export type ChangeListInput =
  | { kind: 'directory'; dir: string; prune: boolean; breaking?: readonly ComponentId[] }
  | { kind: 'drafts'; ids?: readonly ComponentId[] | undefined; breaking?: readonly ComponentId[] }
  | {
      kind: 'components'
      components: readonly unknown[]
      removals: readonly ComponentId[]
      invalidComponents?: readonly InvalidComponent[]
      breaking?: readonly ComponentId[]
    }
  | RestoreInput

/** Older content as a change list. */
export type RestoreInput =
  | { kind: 'generation'; generation: number; breaking?: readonly ComponentId[] }
  | {
      kind: 'revert'
      generation: number
      components?: readonly ComponentId[]
      without?: readonly ComponentId[]
      breaking?: readonly ComponentId[]
    }

/** The plan of a change list, without the digests of its changes. */
export type PlannedList = Omit<LazyPlanView, 'plan'> & { plan: PlanName & Pick<Plan, 'counts'> }

/** What identifies a plan: its org, its base generation, and the digest of its changes. */
export type PlanName = Pick<Plan, 'lineage' | 'base' | 'changeDigest'>

export type AppliedList = Omit<LazyAppliedView, 'budget'> & {
  unchanged: boolean
  /** Null if unknown. */
  budget: Budget | null
}

export interface ApplyOptions {
  base?: number
  /** Lineage of the org that the plan was created for. */
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
  plan(list: ChangeListInput, rationale?: string): Promise<PlannedList>
  /** The effects of a change list; each list in it has at most `most` items. */
  impact(list: ChangeListInput, most: number): Promise<Impact>
  /** A part of the effects on stored values of records. */
  recordsImpact(list: ChangeListInput, after?: string): Promise<RecordsImpact>
  apply(list: ChangeListInput, terms: ApplyOptions): Promise<AppliedList>
  /** Changes between two generations; `to` defaults to the active one. */
  diff(from: number, to: number | undefined): Promise<LazyList<ChangeView>>
  generations(limit: number): Promise<{ active: number; generations: GenerationRow[] }>
  retrieve(
    dir: string,
    generation: number | undefined,
    progress: (done: number) => void,
  ): Promise<RetrieveResult>
  resolve(question: ResolutionQuery): Promise<Resolution>
  explain(question: ResolutionQuery): Promise<SetResolutionExplanation>
  evaluate(evaluation: Evaluation): Promise<EvaluateOutcome>
  replay(given: ResultSource): Promise<ReplayOutcome>
  recompute(given: ResultSource & { store?: boolean }): Promise<RecomputeOutcome>
  results(limit: number): Promise<ResultView[]>
  /** The text of the bundle. */
  evidence(resultId: string): Promise<string>
  /** @throws AlmanacError user.not_found, access.denied */
  accessOf(user: string): Promise<AccessReport>
  whereUsed(id: ComponentId, member: string | undefined): Promise<WhereUsedView>
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
  readonly records: RecordsApi
  readonly credentials: CredentialsApi
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

export interface RequestsApi {
  /** Newest first. */
  list(states: readonly ChangeRequestState[] | undefined, limit: number): Promise<ChangeRequestSummary[]>
  get(id: string): Promise<LazyRequestView>
  create(list: ChangeListInput, terms: NewRequestOptions): Promise<SubmittedRequestView>
  approve(id: string, digest: string, comment: string): Promise<ChangeRequestSummary>
  reject(id: string, reason: string): Promise<ChangeRequestSummary>
  withdraw(id: string, reason: string): Promise<ChangeRequestSummary>
  comment(id: string, text: string): Promise<ChangeRequestSummary>
  schedule(id: string, applyOn: string | null): Promise<ChangeRequestSummary>
  apply(id: string, digest: string | undefined): Promise<AppliedList>
  /** Number of approvals that the org requires. */
  requiredApprovals(): Promise<number>
  /** The change request that waits for the approvals in force; null if the number is set. */
  setRequiredApprovals(required: number): Promise<ChangeRequestSummary | null>
}
