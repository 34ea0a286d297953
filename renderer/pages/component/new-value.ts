// "New value from…": which row of a lane ends, which one starts, and until when (studio: "Entries").
import type { ComponentRow } from '../../api/wire.ts'
import { scopeWords } from '../../text/words.ts'

export interface NewValue {
  /** The row that counts on the day and now ends there; null where none counts. */
  ends: ComponentRow | null
  /** The row that starts on the very day and takes the new values instead. */
  replaces: ComponentRow | null
  /** First day on which the new row no longer counts; null for open. */
  to: string | null
}

/**
 * What a new value from `from` does to a lane, the rows of one key and scope. The rows must not overlap; dates are
 * ISO 8601, so that their order as text is their order in time.
 */
export function newValueFrom(lane: readonly ComponentRow[], from: string): NewValue {
  const start = (row: ComponentRow): string => row.facts?.effectiveFrom ?? ''
  const end = (row: ComponentRow): string | null => row.facts?.effectiveTo ?? null
  const current = lane.find((row) => start(row) <= from && (end(row) === null || from < end(row)!)) ?? null
  if (current !== null && start(current) === from) return { ends: null, replaces: current, to: end(current) }
  const next =
    lane
      .map(start)
      .filter((day) => day > from)
      .sort()[0] ?? null
  const until = current === null ? null : end(current)
  return { ends: current, replaces: null, to: until ?? next }
}

/** The key of a new entry, `<set>.<slug>`, of key, scope and day; numbered where it is taken. */
export function entryKeyFor(
  set: string,
  parts: readonly (string | null | undefined)[],
  taken: ReadonlySet<string>,
): string {
  const slug = parts
    .filter((part): part is string => Boolean(part))
    .join('_')
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
  const lawful = (/^[a-z]/.test(slug) ? slug : `e_${slug}`.replace(/_$/, '')).slice(0, 70)
  let key = `${set}.${lawful}`
  for (let n = 2; taken.has(key); n++) key = `${set}.${lawful}_${n}`
  return key
}

/** Whether two rows are of one key and one scope. */
export function sameLane(a: Pick<ComponentRow, 'facts'>, b: Pick<ComponentRow, 'facts'>): boolean {
  return a.facts?.key === b.facts?.key && scopeWords(a.facts?.scope) === scopeWords(b.facts?.scope)
}
