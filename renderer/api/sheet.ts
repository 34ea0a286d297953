// What a sheet of entries asks: rows as columns, the drafts over them, and many drafts kept as one step.
import type { Scope } from '#kernel/components/scopes.ts'
import { get, getUnlessSame, request, type Tagged } from './request.ts'
import type { ComponentId, DraftRow, JsonValue } from './wire.ts'

/** A row a position; columns that the set has not are left out. */
export interface EntryColumns {
  digest: string
  rows: number
  /** What follows the set in the key of the entry. */
  slugs: string[]
  keys?: string[]
  keyOf?: number[]
  scopes: Scope[]
  scopeOf: number[]
  /** First days, counted from 1970-01-01. */
  from?: number[]
  /** First days that no longer count; null where open-ended. */
  to?: (number | null)[]
  priority?: (number | null)[]
  values: Record<string, (string | boolean | null)[]>
}

export interface EntryLabels {
  slugs: string[]
  labels: string[]
}

export type SheetOf = 'config_set' | 'feature_flag'

/** Null where they are what `tag` names. */
export const fetchEntryColumns = (
  type: SheetOf,
  set: string,
  tag?: string,
): Promise<Tagged<EntryColumns> | null> => getUnlessSame(pathOf(type, set, 'entries'), tag)

export const fetchEntryDrafts = (
  type: SheetOf,
  set: string,
  tag?: string,
): Promise<Tagged<{ drafts: DraftRow[] }> | null> => getUnlessSame(pathOf(type, set, 'entry-drafts'), tag)

export const fetchEntryLabels = (
  type: SheetOf,
  set: string,
  tag?: string,
): Promise<Tagged<EntryLabels> | null> => getUnlessSame(pathOf(type, set, 'entry-labels'), tag)

export interface DraftEdit {
  path: readonly string[]
  /** Left out, the value is taken away. */
  value?: JsonValue
}

/** `version` is the one last seen, 0 where there was no draft. */
export type BatchedDraft = { id: ComponentId; version: number } & (
  { text: string | null; base?: number; restores?: number } | { edits: DraftEdit[] } | { drop: true }
)

/**
 * Keeps all or none. Answers the version of each; 0 where there is no draft any more.
 * @throws ApiError conflict.stale_draft, whose details name each draft that moved
 */
export const keepDrafts = async (drafts: readonly BatchedDraft[], keepalive = false): Promise<number[]> =>
  (await request<{ versions: number[] }>('PUT', '/setup/v3/drafts', { body: { drafts }, keepalive })).versions

function pathOf(type: SheetOf, set: string, what: string): string {
  return `/metadata/v3/components/${type}/${encodeURIComponent(set)}/${what}`
}

/** How many stored results bind a set or flag. */
export const fetchBoundResults = async (type: SheetOf, set: string): Promise<number> =>
  (await get<{ bound: number }>(pathOf(type, set, 'bound-results'))).bound
