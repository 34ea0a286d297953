// Ends rows that have only a first day where the next row of the same key and scope begins.
import { scopeText } from '../components/scopes.ts'
import type { CivilDate } from '../dates/civil-date.ts'
import type { ParsedRow } from './name-entries.ts'

/** Fills in open ends; rows keep their order. The last row of each key and scope stays open. */
export function closeOpenEnds(drafts: readonly ParsedRow[]): ParsedRow[] {
  const starts = Map.groupBy(drafts, laneKeyOf)
  const next = new Map<ParsedRow, CivilDate | null>()
  for (const rows of starts.values()) {
    const days = [...new Set(rows.map(({ from }) => from).filter((day) => day !== null))].sort()
    for (const row of rows) {
      const at = row.from === null ? -1 : days.indexOf(row.from)
      next.set(row, at < 0 ? null : (days[at + 1] ?? null))
    }
  }
  return drafts.map((row) => (row.to === null ? { ...row, to: next.get(row) ?? null } : row))
}

/** Whether a key has several rows that begin on different days. */
export function hasConsecutiveRows(rows: Iterable<{ place: string; from: CivilDate }>): boolean {
  const first = new Map<string, CivilDate>()
  for (const { place, from } of rows) {
    const known = first.get(place)
    if (known !== undefined && known !== from) return true
    first.set(place, from)
  }
  return false
}

const laneKeyOf = ({ businessKey, scope, priority }: ParsedRow): string =>
  JSON.stringify([businessKey, scopeText(scope), priority])
