// Drafts: text as typed, saved on the server with a version.
import type { DraftNames, RepairView, SavedDraftView } from '#wire/index.ts'
import { get, post, request } from './request.ts'
import type { ComponentId, DiscardedDrafts, DraftRow, Envelope } from './wire.ts'

export type { DraftNames } from '#wire/index.ts'

export const fetchDrafts = async (): Promise<DraftRow[]> =>
  (await get<{ drafts: DraftRow[] }>('/setup/v3/drafts')).drafts

/** Returns the ids alone: there can be thousands. */
export const fetchDraftNames = (): Promise<DraftNames> => get('/setup/v3/draft-names')

/**
 * Saves a draft. `version` is the one last seen, 0 for a new draft; a text of null drafts a removal.
 * @throws ApiError conflict.stale_draft if another window has saved it in the meantime
 */
export const saveDraft = (
  id: ComponentId,
  text: string | null,
  version: number,
  keepalive = false,
): Promise<SavedDraftView> => request('PUT', draftPath(id), { body: { text, version }, keepalive })

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

/** Fixes findings with the user's choices; makes drafts. */
export const repair = (ask: RepairRequest): Promise<RepairView<Envelope>> => post('/setup/v3/repair', ask)

function draftPath(id: ComponentId): string {
  const slash = id.indexOf('/')
  return `/setup/v3/drafts/${id.slice(0, slash)}/${encodeURIComponent(id.slice(slash + 1))}`
}
