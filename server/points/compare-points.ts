// Compares two points in time of one set: the value of each key at both. If only the generation differs, only keys that
// were changed in between are examined; otherwise every key, some at a time.
import { normaliseBusinessKey } from '#kernel/components/config-entry/business-key.ts'
import type { ScopePath } from '#kernel/components/scopes.ts'
import {
  parseAsOf,
  resolveFast,
  type KeyComparison,
  type PointComparison,
  type TimePoint,
  type PointResolution,
  type SliceRow,
} from '#kernel/config/index.ts'
import { dateOf, dayOf, type DayNumber } from '#kernel/dates/civil-date.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { requireScopePath } from '../access/index.ts'
import type { OrgReader, OrgStore } from '../ports/org-store.ts'
import { requireSetAt, type SetAtGeneration } from './set-at-generation.ts'

export interface ComparePointsRequest {
  actor: string
  set: string
  a: TimePoint
  b: TimePoint
  scope: ScopePath
  /** Compares only this key, null for a singleton or a flag; if omitted, every key. */
  key?: string | null | undefined
  /** Whether to return only keys whose values differ. */
  changed: boolean
  /** The last key that was examined; omitted at the beginning. */
  after?: string | null | undefined
  /** Maximum number of keys in the result, and of keys that are examined. */
  limit: number
  look: number
}

/** `last`: the key after which to continue, as a text; null if all were examined. */
export type ComparedPointsPage = Omit<PointComparison, 'nextCursor'> & { last: string | null }

/** @throws AlmanacError generation.not_found, config.unknown_set, config.as_of_required, access.denied */
export function comparePoints(store: OrgStore, request: ComparePointsRequest): ComparedPointsPage {
  return store.read((reader) => {
    const { set, a, b, scope, changed, limit, look, actor } = request
    const [left, right] = [
      requireSetAt(reader, actor, set, a.generation),
      requireSetAt(reader, actor, set, b.generation),
    ]
    requireScopePath(reader, scope, [
      left.view,
      right.view,
      reader.generations.view(reader.generations.active()),
    ])
    const [days, otherDays] = [dayAt(left, a), dayAt(right, b)]
    const keys = keysOf(reader, left, right, request, days === otherDays)
    const start = request.after === undefined ? 0 : firstAfter(keys, request.after)
    const comparisons: KeyComparison[] = []
    let at = start
    for (; at < keys.length && at - start < look && comparisons.length < limit; at += 1) {
      const key = keys[at]!
      const [one, other] = [rowAt(left, key, days, scope), rowAt(right, key, otherDays, scope)]
      const fields = fieldsOf(left, right).filter((field) => one?.values[field] !== other?.values[field])
      const differs = fields.length > 0 || (one === null) !== (other === null)
      if (!differs && changed) continue
      const sides = { a: answerOf(reader, one, left, a), b: answerOf(reader, other, right, b) }
      comparisons.push({ key, ...sides, changed: differs, fields })
    }
    return {
      ...{ set, names: { a: left.name, b: right.name }, a, b, scope, keys: comparisons },
      ...{ looked: at - start, total: keys.length },
      last: at < keys.length ? lastText(keys[at - 1]!) : null,
    }
  })
}

/** A key in the form of a cursor. */
function lastText(key: string | null): string {
  return JSON.stringify(key)
}

function keysOf(
  reader: Pick<OrgReader, 'sets'>,
  left: SetAtGeneration,
  right: SetAtGeneration,
  { a, b, changed, key }: ComparePointsRequest,
  sameDay: boolean,
): (string | null)[] {
  if (key !== undefined) return [keyOfSet(right, key)]
  if (changed && sameDay && sameAnswers(left, right))
    return reader.sets.changedKeysBetween(a.generation, b.generation, left.name)
  const all = new Set([
    ...reader.sets.businessKeys(a.generation, left.name),
    ...reader.sets.businessKeys(b.generation, right.name),
    // A flag has a value without an entry.
    ...(left.slice.kind === 'feature_flag' || right.slice.kind === 'feature_flag' ? [null] : []),
  ])
  return [...all].sort(inOrder)
}

/** A key in the form of the entries. */
function keyOfSet({ definition }: SetAtGeneration, key: string | null): string | null {
  const keyedBy = definition.type === 'config_set' ? definition.body.keyedBy : undefined
  return key === null || keyedBy === undefined ? key : normaliseBusinessKey(keyedBy, key)
}

/** Whether keys without differing entries have the same value: the same name, chain, default. */
function sameAnswers(left: SetAtGeneration, right: SetAtGeneration): boolean {
  if (left.name !== right.name || left.definition.type !== right.definition.type) return false
  const [one, other] = [left.definition.body, right.definition.body]
  const flags = 'default' in one && 'default' in other ? one.default === other.default : true
  return flags && JSON.stringify(left.slice.chain) === JSON.stringify(right.slice.chain)
}

function dayAt({ slice }: SetAtGeneration, { asOf }: TimePoint): number {
  if (!slice.dated) return 0
  if (asOf === null)
    throw new AlmanacError(
      'config.as_of_required',
      `${slice.set} is effective-dated: specify the date, as YYYY-MM-DD.`,
    )
  return dayOf(parseAsOf(asOf))
}

function fieldsOf(one: SetAtGeneration, other: SetAtGeneration): string[] {
  return [...new Set([...one.slice.fields, ...other.slice.fields].map(({ key }) => key))]
}

function rowAt(
  { slice }: SetAtGeneration,
  key: string | null,
  day: number,
  scope: ScopePath,
): SliceRow | null {
  return resolveFast(slice, key ?? '', scope, day)
}

function answerOf(
  reader: Pick<OrgReader, 'components'>,
  row: SliceRow | null,
  { name }: SetAtGeneration,
  { generation }: TimePoint,
): PointResolution | null {
  if (row === null) return null
  const id = row.entry === name ? (`feature_flag/${name}` as const) : (`config_entry/${row.entry}` as const)
  const version = reader.components.versionAt(generation, id)
  return {
    ...{ entry: row.entry, scope: row.scope, values: row.values },
    from: dateText(row.from),
    to: dateText(row.to),
    deployedBy:
      version === undefined ? null : { generation: version.from, actor: version.actor, at: version.at },
  }
}

function dateText(day: number): string | null {
  return Number.isFinite(day) ? dateOf(day as DayNumber) : null
}

/** A missing key first, then by code unit. */
function inOrder(a: string | null, b: string | null): number {
  if (a === b) return 0
  if (a === null || b === null) return a === null ? -1 : 1
  return a < b ? -1 : 1
}

function firstAfter(keys: readonly (string | null)[], after: string | null): number {
  const at = keys.findIndex((key) => inOrder(key, after) > 0)
  return at < 0 ? keys.length : at
}
