// Drafts: text as typed, kept on the server under a version.
import type { Contributor } from '#kernel/requests/index.ts'
import { get, post, request } from './request.ts'
import type { ChangeView, ComponentId, DiscardedDrafts, DraftRow, Finding } from './wire.ts'

export interface SavedDraft extends DraftRow {
  findings: Finding[]
  /** The text has the content of the active component; the draft no longer exists. */
  unchanged: boolean
}

export const fetchDrafts = async (): Promise<DraftRow[]> =>
  (await get<{ drafts: DraftRow[] }>('/setup/v3/drafts')).drafts

export interface DraftNames {
  drafts: ComponentId[]
  /** For each draft that the user did not write alone: its author, or a different user who wrote it. */
  others: Record<ComponentId, string>
  /** All writers of each draft that is not by `you` alone. */
  writers: Record<ComponentId, Contributor[]>
  you: Contributor
}

/** The ids alone: there can be thousands. */
export const fetchDraftNames = (): Promise<DraftNames> => get('/setup/v3/draft-names')

/**
 * Keeps a draft. `version` is the one last seen, 0 for a new draft; a text of null drafts the removal.
 * @throws ApiError conflict.stale_draft if another window kept it meanwhile
 */
export const saveDraft = (
  id: ComponentId,
  text: string | null,
  version: number,
  keepalive = false,
): Promise<SavedDraft> => request('PUT', draftPath(id), { body: { text, version }, keepalive })

export const discardDraft = (id: ComponentId): Promise<void> => request('DELETE', draftPath(id))

const discarded = '/setup/v3/discarded-drafts'

/** Discards all or none. @throws ApiError conflict.stale_draft if others wrote one and `others` is false */
export const discardDrafts = (drafts: ComponentId[] | 'own', others: boolean): Promise<DiscardedDrafts> =>
  post(discarded, { drafts, others })

/** Returns the drafts that the user discarded last and can restore. */
export const fetchDiscarded = async (): Promise<DiscardedDrafts | null> =>
  (await get<{ discarded: DiscardedDrafts | null }>(discarded)).discarded

/** @throws ApiError conflict.stale_draft if one of them was drafted again */
export const restoreDiscarded = (id: string): Promise<DiscardedDrafts> =>
  post(`${discarded}/${encodeURIComponent(id)}/restore`)

export const forgetDiscarded = (id: string): Promise<void> =>
  request('DELETE', `${discarded}/${encodeURIComponent(id)}`)

export interface RepairRequest {
  findings: { code: string; component?: string; set?: string; key?: string | null }
  choice: string
  value?: unknown
}

/** Fixes findings by the user's choice; makes drafts. */
export const repair = (
  ask: RepairRequest,
): Promise<{ drafts: ComponentId[]; changes: ChangeView[]; findings: Finding[] }> =>
  post('/setup/v3/repair', ask)

function draftPath(id: ComponentId): string {
  const slash = id.indexOf('/')
  return `/setup/v3/drafts/${id.slice(0, slash)}/${encodeURIComponent(id.slice(slash + 1))}`
}
