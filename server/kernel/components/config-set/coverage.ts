// Checks all entries of one business key together (docs/reference/resolution-and-dates.md).
import { appendAll } from '../../append-all.ts'
import { dayOf } from '../../dates/civil-date.ts'
import type { Finding } from '../../errors/finding.ts'
import type { ComponentOf } from '../body-types.ts'
import { idOf } from '../component.ts'
import { errorFinding } from '../report.ts'
import { scopeText } from '../scopes.ts'
import type { ComponentView } from '../view.ts'
import { permissionTies } from './permission-ties.ts'
import { rangeEnd, rangeGaps, rangeOverlaps } from './range-findings.ts'
import { describeKey, type ConfigEntry, type EntryOwner, type DatedEntry } from './timeline.ts'

/**
 * Returns findings over the entries of ONE business key (null for a singleton or a flag) at all scopes. Entries whose own
 * dates are not valid are skipped; the rules of entries report them. Cost: n log n in the entries of the key.
 */
export function coverageFindings(
  target: EntryOwner,
  businessKey: string | null,
  entries: readonly ConfigEntry[],
  _view: ComponentView,
): Finding[] {
  const dated = target.type === 'config_set' && target.body.effectiveDated
  const sorted = [...entries].sort((a, b) => (a.key < b.key ? -1 : 1))
  const placed = dated ? sorted.flatMap(withRange) : sorted.map(always)
  const byScope = Map.groupBy(placed, ({ entry }) => scopeText(entry.body.scope))
  const findings: Finding[] = []
  for (const rows of byScope.values()) {
    if (dated)
      appendAll(findings, [
        ...rangeOverlaps(target, businessKey, rows),
        ...rangeGaps(target, businessKey, rows),
      ])
    else appendAll(findings, duplicates(target, businessKey, rows))
  }
  const orgRows = byScope.get('org')
  if (dated && orgRows !== undefined) appendAll(findings, rangeEnd(target, businessKey, orgRows))
  appendAll(findings, permissionTies(target, businessKey, placed, dated))
  if (target.type === 'config_set') appendAll(findings, orgMissing(target, businessKey, sorted))
  return findings
}

/** The check for readers: a singleton set that logic reads must have an org entry (docs/reference/resolution-and-dates.md). Null if it has one. */
export function missingOrgEntryFinding(
  set: ComponentOf<'config_set'>,
  entries: Iterable<ConfigEntry>,
): Finding | null {
  if (set.body.cardinality !== 'singleton') return null
  for (const entry of entries) if (entry.body.scope.kind === 'org') return null
  const message = `${set.key} is read by logic but has no entry at org, so it may have no value. Add an entry at the org scope.`
  return errorFinding(set, '', 'config.org_missing', message, { facts: { set: set.key, key: null } })
}

function orgMissing(set: EntryOwner, businessKey: string | null, entries: readonly ConfigEntry[]): Finding[] {
  const [narrower] = entries
  if (narrower === undefined || entries.some((entry) => entry.body.scope.kind === 'org')) return []
  const message =
    `${describeKey(set, businessKey)} has ${entries.length === 1 ? 'an entry' : `${entries.length} entries`} ` +
    `at narrower scopes (${narrower.key} at ${scopeText(narrower.body.scope)}) but none at org, which everyone else falls back to. Add an org entry.`
  const related = entries.slice(1, 20).map((entry) => ({ component: idOf(entry), path: '/body/scope' }))
  const facts = { set: set.key, key: businessKey }
  return [errorFinding(narrower, '/body/scope', 'config.org_missing', message, { related, facts })]
}

function duplicates(target: EntryOwner, businessKey: string | null, rows: readonly DatedEntry[]): Finding[] {
  const [first, ...others] = rows
  return others.map(({ entry }) => {
    const scope = scopeText(entry.body.scope)
    const message =
      `${first!.entry.key} and ${entry.key} are both entries of ${describeKey(target, businessKey)} at ${scope}. ` +
      `${target.key} is not effective-dated, so each scope can have only one entry. Remove one of the two.`
    const facts = { set: target.key, key: businessKey, scope, other: first!.entry.key }
    return errorFinding(entry, '/body/scope', 'config.duplicate_entry', message, {
      related: [{ component: idOf(first!.entry), path: '/body/scope' }],
      facts,
    })
  })
}

function withRange(entry: ConfigEntry): DatedEntry[] {
  const { effectiveFrom, effectiveTo } = entry.body
  if (effectiveFrom === undefined) return []
  const range = { from: dayOf(effectiveFrom), to: effectiveTo == null ? null : dayOf(effectiveTo) }
  return range.to !== null && range.to <= range.from ? [] : [{ entry, range }]
}

function always(entry: ConfigEntry): DatedEntry {
  return { entry, range: { from: Number.NEGATIVE_INFINITY as DatedEntry['range']['from'], to: null } }
}
