// Plan, apply, roll back; generations and the audit (completions 4).
import { download, get, post, request } from './request.ts'
import type {
  ApplyAnswer,
  AuditRow,
  ChangeView,
  ComponentId,
  GenerationRow,
  Impact,
  PlanAnswer,
} from './wire.ts'

/** Which drafts go: the user's own, or some by id with what they need. */
export interface DraftPick {
  drafts: true | ComponentId[]
  dependencies?: true
}

export interface ChangePage {
  from: number
  count: number
}

/** What the drafts would change, judged whole, with the name of every change. */
export const planDrafts = (pick: DraftPick, rationale: string, page?: ChangePage): Promise<PlanAnswer> =>
  post('/metadata/v3/plan', { ...pick, rationale, page, index: true })

export type DiffAnswer = Pick<PlanAnswer, 'changes' | 'total' | 'index'> & { changeDigest: string }

/** The same unjudged, which is quick for many: one page of it, and on demand the name of every change. */
export const diffDrafts = (pick: DraftPick, page: ChangePage, index = false): Promise<DiffAnswer> =>
  post('/metadata/v3/diff', { ...pick, page, index })

/** What the drafts do beyond themselves; `after` goes on among the stored results. */
export const fetchImpact = (pick: DraftPick, rationale: string, after?: string): Promise<Impact> =>
  post('/metadata/v3/impact', { ...pick, rationale, ...(after === undefined ? {} : { results: { after } }) })

/** The review as one HTML text. */
export const fetchReview = (pick: DraftPick, rationale: string): Promise<string> =>
  request('POST', reviewPath, { body: { ...pick, rationale }, raw: true })

/** The same, saved as a file. */
export const saveReview = (pick: DraftPick, rationale: string): Promise<void> =>
  download(reviewPath, { ...pick, rationale })

const reviewPath = '/metadata/v3/review-document'

export interface ApplyAsk extends DraftPick {
  lineage: string
  base: number
  changeDigest: string
  rationale: string
}

export const applyDrafts = (ask: ApplyAsk): Promise<ApplyAnswer> => post('/metadata/v3/apply', ask)

export const rollBack = (generation: number, rationale: string): Promise<ApplyAnswer> =>
  post('/metadata/v3/rollback', { generation, rationale })

export const fetchGenerations = (
  before?: number,
  limit = 100,
): Promise<{ active: number; generations: GenerationRow[] }> =>
  get('/metadata/v3/generations', { before, limit })

export const fetchGeneration = (
  generation: number,
): Promise<{ generation: GenerationRow; changes: ChangeView[] }> =>
  get(`/metadata/v3/generations/${generation}`)

export interface AuditQuery {
  component?: string
  actor?: string
  kind?: string
  generation?: number | string
  before?: string
  limit?: number
}

export const fetchAudit = (query: AuditQuery): Promise<{ rows: AuditRow[]; nextCursor: string | null }> =>
  get('/metadata/v3/audit', { ...query })
