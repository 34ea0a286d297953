// Requests of a sheet of entries: rows as columns, the drafts over them, and many drafts saved as one step.
import type { EntryColumns, EntryLabels } from '#wire/entry-columns.ts'
import { get, getIfChanged, request, type Tagged } from './request.ts'
import type { ComponentId, DraftRow, JsonValue } from './wire.ts'

export type { EntryColumns, EntryLabels } from '#wire/entry-columns.ts'

export type SheetType = 'config_set' | 'feature_flag'

/** Returns null if they are unchanged since the response with this tag. */
export const fetchEntryColumns = (
  type: SheetType,
  set: string,
  tag?: string,
): Promise<Tagged<EntryColumns> | null> => getIfChanged(pathOf(type, set, 'entries'), tag)

export const fetchEntryDrafts = (
  type: SheetType,
  set: string,
  tag?: string,
): Promise<Tagged<{ drafts: DraftRow[] }> | null> => getIfChanged(pathOf(type, set, 'entry-drafts'), tag)

export const fetchEntryLabels = (
  type: SheetType,
  set: string,
  tag?: string,
): Promise<Tagged<EntryLabels> | null> => getIfChanged(pathOf(type, set, 'entry-labels'), tag)

export interface DraftEdit {
  path: readonly string[]
  /** If omitted, the value is removed. */
  value?: JsonValue
}

/** `version` is the one last seen, 0 without a draft. */
export type BatchedDraft = { id: ComponentId; version: number } & (
  { text: string | null; base?: number; restores?: number } | { edits: DraftEdit[] } | { drop: true }
)

/**
 * Saves all or none. Returns the version of each; 0 if the draft no longer exists.
 * @throws ApiError conflict.stale_draft, whose details name each draft that changed
 */
export const saveDrafts = async (drafts: readonly BatchedDraft[], keepalive = false): Promise<number[]> =>
  (await request<{ versions: number[] }>('PUT', '/setup/v3/drafts', { body: { drafts }, keepalive })).versions

function pathOf(type: SheetType, set: string, what: string): string {
  return `/metadata/v3/components/${type}/${encodeURIComponent(set)}/${what}`
}

/** Returns how many stored results bind a set or flag. */
export const fetchBoundResults = async (type: SheetType, set: string): Promise<number> =>
  (await get<{ bound: number }>(pathOf(type, set, 'bound-results'))).bound
