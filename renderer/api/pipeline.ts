// Plan, apply, roll back; generations and the audit (completions 4).
import { get, post } from './request.ts'
import type { ApplyAnswer, AuditRow, ChangeView, ComponentId, GenerationRow, PlanAnswer } from './wire.ts'

/** What the drafts would change, judged whole. `drafts` names those that go. */
export const planDrafts = (drafts: true | ComponentId[], rationale: string): Promise<PlanAnswer> =>
  post('/metadata/v3/plan', { drafts, rationale })

export interface ApplyAsk {
  drafts: true | ComponentId[]
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
