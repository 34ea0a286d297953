// The org as verbs use it, in a local folder or behind a server. The shapes are those of the HTTP surface.
import type { Budget, ChangeCounts, ChangeWords, Unsound, ValueChange } from '#kernel/change/index.ts'
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
import type { AccessReport } from '#kernel/people/wire.ts'
import type {
  DeployedStep,
  EvaluateAnswer,
  GivenResult,
  RecomputeAnswer,
  ReplayAnswer,
  ResultView,
} from '../evaluation/index.ts'
import type { AuditSearch, Rows } from '../pipeline/index.ts'
import type { Denial } from '../access/index.ts'
import type { MadeSecret } from '../clients/index.ts'
import type { AuditRow, DraftRow, GenerationRow, OrgFacts } from '../ports/org-store.ts'

/** The change list of a verb. */
export type GivenList =
  | { kind: 'directory'; dir: string; prune: boolean }
  | { kind: 'drafts'; ids?: readonly ComponentId[] | undefined }
  | {
      kind: 'components'
      components: readonly unknown[]
      removals: readonly ComponentId[]
      unsound?: readonly Unsound[]
    }
  | RestoringList

/** Older content as a change list. */
export type RestoringList =
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
  words: ChangeWords
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
  changes: Rows<ShownChange>
  total: number
  findings: Finding[]
  /** Number of findings if the list is cut. */
  findingsTotal: number
  denials: readonly Denial[]
}

export interface Applied {
  /** The new generation; the active one if nothing changed. */
  generation: number
  unchanged: boolean
  changes: Rows<ShownChange>
  counts: ChangeCounts
  findings: Finding[]
  findingsTotal: number
  /** Bytes of slices: `used` is before this apply. Null if unknown. */
  budget: Budget | null
  ms: number
}

export interface ApplyTerms {
  base?: number
  /** Lineage of the org that the plan was made for. */
  lineage?: string
  changeDigest?: string
  /** The base generation of the plan. */
  planBase?: number
  rationale?: string
}

export interface AskedResolution {
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
  facts(): Promise<Pick<OrgFacts, 'lineage' | 'name' | 'environment'>>
  /** `rationale` is stored with each flag that restored content extends. */
  plan(list: GivenList, rationale?: string): Promise<ShownPlan>
  apply(list: GivenList, terms: ApplyTerms): Promise<Applied>
  /** Changes between two generations; `to` defaults to the active one. */
  between(from: number, to: number | undefined): Promise<Rows<ShownChange>>
  generations(limit: number): Promise<{ active: number; generations: GenerationRow[] }>
  retrieve(dir: string, generation: number | undefined, progress: (done: number) => void): Promise<Retrieved>
  resolve(question: AskedResolution): Promise<Resolution>
  explain(question: AskedResolution): Promise<{
    resolution: Resolution | null
    error: { code: string; detail: string } | null
    steps: DeployedStep[]
  }>
  evaluate(evaluation: Evaluation): Promise<EvaluateAnswer>
  replay(given: GivenResult): Promise<ReplayAnswer>
  recompute(given: GivenResult & { store?: boolean }): Promise<RecomputeAnswer>
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
  clientSecret(client: string): Promise<MadeSecret>
  readonly requests: RequestsApi
  close(): Promise<void>
}

export interface Retrieved {
  lineage: string
  generation: number
  written: number
  unchanged: number
  removed: number
}

export interface NewRequestTerms extends ApplyTerms {
  title?: string
  /** The date on which it is applied automatically. */
  applyOn?: string
}

/** The new request with the result of its validation. */
export type MadeRequest = ChangeRequestSummary & { findings: Finding[] }

export type ShownRequest = ChangeRequestDetailOf<Rows<ShownChange>>

export interface RequestsApi {
  /** Newest first. */
  list(states: readonly ChangeRequestState[] | undefined, limit: number): Promise<ChangeRequestSummary[]>
  get(id: string): Promise<ShownRequest>
  create(list: GivenList, terms: NewRequestTerms): Promise<MadeRequest>
  approve(id: string, digest: string, comment: string): Promise<ChangeRequestSummary>
  reject(id: string, reason: string): Promise<ChangeRequestSummary>
  withdraw(id: string, reason: string): Promise<ChangeRequestSummary>
  comment(id: string, text: string): Promise<ChangeRequestSummary>
  schedule(id: string, applyOn: string | null): Promise<ChangeRequestSummary>
  apply(id: string, digest: string | undefined): Promise<Applied>
  /** Number of approvals that the org requires. */
  required(): Promise<number>
  /** The change request that waits for the approvals in force; null if the number is set. */
  require(required: number): Promise<ChangeRequestSummary | null>
}
