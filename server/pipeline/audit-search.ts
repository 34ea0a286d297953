// Searches the audit for what a person remembers: words, a name, a range of days
// (docs/reference/pipeline-and-approvals.md).
import type { ComponentView } from '#kernel/components/view.ts'
import { nextDay, parseCivilDate } from '#kernel/dates/civil-date.ts'
import { plainWords } from '#kernel/search/index.ts'
import type { Viewer } from '../access/index.ts'
import type { OrgReader, OrgStore } from '../ports/org-store.ts'
import type { AuditSummary, AuditFilter } from '../ports/audit.ts'
import type { AuditRow } from '#wire/index.ts'
import { isAuditContentVisible, redactAuditRow } from './id-visibility.ts'

export interface AuditSearch {
  /** Each word is part of a key, label, name, rationale, kind or correlation id. */
  search?: string | undefined
  /** Part of a user's key or name. */
  actor?: string | undefined
  component?: string | undefined
  /** A kind, or the words before or after one of its dots: `change_request`, `applied`. */
  kind?: string | undefined
  generation?: number | undefined
  /** Civil dates (UTC), both included. */
  since?: string | undefined
  until?: string | undefined
  /** Only rows that are older than this id. */
  before?: string | undefined
}

/** Number of rows examined per read; other work runs between two reads. */
const window = 400
/** Number of complete rows fetched per read. */
const rowsPerRead = 50

/** Newest first, fetched lazily. Rows that are hidden from `viewer` are not found by their labels. */
export async function* auditMatches(
  store: OrgStore,
  search: AuditSearch,
  viewer: Viewer | null,
): AsyncIterable<AuditRow> {
  const { match, filter } = store.read((reader) => compileSearch(reader, search, viewer))
  for (let before = search.before; ;) {
    const { briefs, ids } = store.read((reader) => {
      const found = reader.audit.summaries({ ...filter, before, limit: window })
      return { briefs: found, ids: found.filter((brief) => match(brief, reader)).map(({ id }) => id) }
    })
    for (let at = 0; at < ids.length; at += rowsPerRead) {
      const part = ids.slice(at, at + rowsPerRead)
      const rows = store.read((reader) =>
        reader.audit
          .list({ ids: part, limit: rowsPerRead })
          .map((row) => redactAuditRow(reader, row, viewer)),
      )
      yield* rows
    }
    if (briefs.length < window) return
    before = briefs.at(-1)!.id
    await new Promise((resolve) => setImmediate(resolve))
  }
}

export interface AuditPage {
  rows: AuditRow[]
  /** The id below which the next page begins; null at the end. */
  next: string | null
}

export async function auditPage(
  store: OrgStore,
  search: AuditSearch,
  viewer: Viewer | null,
  limit: number,
): Promise<AuditPage> {
  const rows: AuditRow[] = []
  for await (const row of auditMatches(store, search, viewer)) {
    if (rows.length === limit) return { rows, next: rows.at(-1)!.id }
    rows.push(row)
  }
  return { rows, next: null }
}

interface CompiledSearch {
  match: (brief: AuditSummary, reader: OrgReader) => boolean
  filter: AuditFilter
}

function compileSearch(
  reader: Pick<OrgReader, 'generations' | 'people'>,
  search: AuditSearch,
  viewer: Viewer | null,
): CompiledSearch {
  const { component, kind, generation, since, until } = search
  const names = new Map(reader.people.users().map(({ key, name }) => [key, name]))
  return {
    filter: {
      component,
      generation,
      since: since === undefined ? undefined : `${since}T00:00:00.000Z`,
      until: until === undefined ? undefined : `${dayAfter(until)}T00:00:00.000Z`,
      actors: search.actor === undefined ? undefined : actorsOf(search.actor, names),
    },
    match: ofKind(kind, matcherOf(reader, search.search ?? '', names, viewer)),
  }
}

function dayAfter(day: string): string {
  return nextDay(parseCivilDate(day)!)
}

/** Keys of users whose key or name contains the text. The text itself is included, because its user may be gone. */
function actorsOf(text: string, names: ReadonlyMap<string, string>): string[] {
  const wanted = plainWords(text)
  const found = [...names].filter(([key, name]) => hasAll(`${key} ${name}`, wanted)).map(([key]) => key)
  return [...new Set([...found, text.trim()])]
}

function ofKind(kind: string | undefined, match: CompiledSearch['match']): CompiledSearch['match'] {
  const part = kind?.trim().toLowerCase() ?? ''
  return part === ''
    ? match
    : (brief, reader) => `.${brief.kind}`.includes(`.${part}`) && match(brief, reader)
}

function matcherOf(
  reader: Pick<OrgReader, 'generations'>,
  text: string,
  names: ReadonlyMap<string, string>,
  viewer: Viewer | null,
): CompiledSearch['match'] {
  const words = plainWords(text)
  if (words.length === 0) return () => true
  const labels = setLabels(reader.generations.view(reader.generations.active()), viewer)
  return (brief, now) => {
    const { component, kind, actor, correlationId, rationale } = brief
    const open = [component, kind, actor, names.get(actor), correlationId, rationale].join(' ')
    if (hasAll(open, words)) return true
    if (!isAuditContentVisible(now, brief, viewer)) return false
    const owner = component.slice(component.indexOf('/') + 1).split('.')[0]!
    return hasAll([open, brief.label, brief.formerKey, labels.get(owner)].join(' '), words)
  }
}

/** Labels of the shown sets and flags; an entry is found by the label of its set. */
function setLabels(view: ComponentView, viewer: Viewer | null): Map<string, string> {
  const labels = new Map<string, string>()
  for (const type of ['config_set', 'feature_flag'] as const)
    for (const { key, label } of view.list(type))
      if (viewer === null || viewer.visibility.canSeeValues(key)) labels.set(key, label)
  return labels
}

function hasAll(text: string, words: readonly string[]): boolean {
  const plain = plainWords(text).join(' ')
  return words.every((word) => plain.includes(word))
}
