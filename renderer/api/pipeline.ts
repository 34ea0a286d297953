// Plan, apply, roll back; generations and the audit.
import type { DiffView } from '#wire/index.ts'
import { download, get, post, request } from './request.ts'
import type {
  ApplyAnswer,
  AuditRow,
  ChangeView,
  ComponentId,
  Envelope,
  GenerationRow,
  Impact,
  RecordsImpact,
  PlanAnswer,
} from './wire.ts'

/** Which drafts are included: the user's own, or some by id with what they need. */
export interface DraftPick {
  drafts: true | ComponentId[]
  dependencies?: true
}

/** Older content as a change list. */
export type RestorePick = (
  | { generation: number }
  | {
      revert: {
        generation: number
        components?: ComponentId[] | undefined
        without?: ComponentId[]
        settled?: { id: ComponentId; after: unknown }[]
      }
    }
) & {
  /** Objects whose losses are confirmed. */
  breaking?: ComponentId[]
}

export type ListPick = DraftPick | RestorePick

export interface ChangePage {
  from: number
  count: number
}

/** Validates the whole change list of the drafts; names every change. */
export const planDrafts = (pick: DraftPick, rationale: string, page?: ChangePage): Promise<PlanAnswer> =>
  post('/metadata/v3/plan', { ...pick, rationale, page, index: true })

/** Validates older content in the same way; `base` is the generation over which its conflicts were resolved. */
export const planList = (
  pick: RestorePick,
  { rationale, base, page }: { rationale: string; base: number | null; page?: ChangePage },
): Promise<PlanAnswer> =>
  post('/metadata/v3/plan', { ...pick, rationale, page, index: true, base: base ?? undefined })

export type DiffAnswer = DiffView<Envelope>

/** The same without validation, which is fast for many changes: one page, and on request the name of every change. */
export const diffDrafts = (pick: ListPick, page: ChangePage, index = false): Promise<DiffAnswer> =>
  post('/metadata/v3/diff', { ...pick, page, index })

/** Returns the effects of the drafts on everything else; `after` continues the stored results. */
export const fetchImpact = (pick: ListPick, rationale: string, after?: string): Promise<Impact> =>
  post('/metadata/v3/impact', { ...pick, rationale, ...(after === undefined ? {} : { results: { after } }) })

/** Returns a part of the effects on stored values of records. */
export const fetchRecordsImpact = (
  pick: ListPick,
  rationale: string,
  after?: string,
): Promise<RecordsImpact> =>
  post('/metadata/v3/impact/records', { ...pick, rationale, ...(after === undefined ? {} : { after }) })

/** Returns the review as one HTML text. */
export const fetchReview = (pick: DraftPick, rationale: string): Promise<string> =>
  request('POST', reviewPath, { body: { ...pick, rationale }, raw: true })

/** Saves the review as a file. */
export const saveReview = (pick: DraftPick, rationale: string): Promise<void> =>
  download(reviewPath, { ...pick, rationale })

const reviewPath = '/metadata/v3/review-document'

export interface ApplyRequest extends DraftPick {
  lineage: string
  base: number
  changeDigest: string
  rationale: string
}

export const applyDrafts = (ask: ApplyRequest): Promise<ApplyAnswer> => post('/metadata/v3/apply', ask)

export const applyList = (ask: RestorePick & Omit<ApplyRequest, keyof DraftPick>): Promise<ApplyAnswer> =>
  post('/metadata/v3/apply', ask)

export const fetchGenerations = (
  before?: number,
  limit = 100,
): Promise<{ active: number; generations: GenerationRow[] }> =>
  get('/metadata/v3/generations', { before, limit })

export const fetchGeneration = (
  generation: number,
): Promise<{ generation: GenerationRow; changes: ChangeView[] }> =>
  get(`/metadata/v3/generations/${generation}`)

export interface AuditFilter {
  search?: string
  component?: string
  actor?: string
  kind?: string
  generation?: number | string
  /** The first and the last date, both included. */
  since?: string
  until?: string
}

export interface AuditQuery extends AuditFilter {
  before?: string
  limit?: number
}

/** Returns the URL at which the rows of a whole filter are saved as a file. */
export function auditFile(filter: AuditFilter, format: 'csv' | 'jsonl'): string {
  const query = new URLSearchParams({ format })
  for (const [name, value] of Object.entries(filter))
    if (value !== undefined && value !== '') query.set(name, String(value))
  return `/metadata/v3/audit/export?${query}`
}

export const fetchAudit = (query: AuditQuery): Promise<{ rows: AuditRow[]; nextCursor: string | null }> =>
  get('/metadata/v3/audit', { ...query })
