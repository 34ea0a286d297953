// The entries of a set as columns: one compact answer for a grid of a hundred thousand rows (studio: "Entries").
import { scopeName, scopeText, type Scope, type ScopeKind } from '#kernel/components/scopes.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import { SINGLETON, type KeyRows, type SetSlice, type SliceRow } from '#kernel/config/index.ts'
import { compareDecimal, parseDecimal } from '#kernel/decimal/decimal.ts'
import { breather } from '../../pipeline/index.ts'

/** A row a position. Columns that the set has not are left out. */
interface Columns {
  digest: string
  rows: number
  /** What follows "<set>." in the key of the entry. */
  slugs: string[]
  /** Distinct business keys, and of which each row is. */
  keys?: string[]
  keyOf?: number[]
  /** Distinct scopes, and of which each row is. */
  scopes: Scope[]
  scopeOf: number[]
  /** First day that counts, in days since 1970-01-01. */
  from?: number[]
  /** First day that no longer counts; null where open-ended. */
  to?: (number | null)[]
  /** Null where the row is at no permission set. */
  priority?: (number | null)[]
  values: Record<string, (string | boolean | null)[]>
}

const made = new WeakMap<SetSlice, Promise<string>>()

/**
 * The JSON of a set's rows, by business key, then the scope chain, then the latest first. Made once for a slice, in
 * pieces between other work.
 */
export function entryColumns(slice: SetSlice): Promise<string> {
  let text = made.get(slice)
  if (text === undefined) {
    text = written(slice)
    made.set(slice, text)
    text.catch(() => made.delete(slice))
  }
  return text
}

/** The JSON of the labels, each beside its entry's slug. Reads every entry, in pieces. */
export async function entryLabels({ digest, set }: SetSlice, view: ComponentView): Promise<string> {
  const slugs: string[] = []
  const labels: string[] = []
  const breathe = breather()
  for (const { key, label } of view.entriesOf(set)) {
    slugs.push(key.slice(set.length + 1))
    labels.push(label)
    const pause = breathe()
    if (pause !== undefined) await pause
  }
  return JSON.stringify({ digest, slugs, labels })
}

async function written(slice: SetSlice): Promise<string> {
  const columns = await gathered(slice)
  const breathe = breather()
  const { values, ...others } = columns
  const parts: string[] = []
  for (const [name, column] of Object.entries(others)) {
    parts.push(`${JSON.stringify(name)}:${JSON.stringify(column)}`)
    await breathe()
  }
  const fields: string[] = []
  for (const [name, column] of Object.entries(values)) {
    fields.push(`${JSON.stringify(name)}:${JSON.stringify(column)}`)
    await breathe()
  }
  return `{${parts.join(',')},"values":{${fields.join(',')}}}`
}

async function gathered(slice: SetSlice): Promise<Columns> {
  const columns = emptyColumns(slice)
  const scopes = new Map<string, number>()
  const breathe = breather()
  for (const key of await sortedKeys(slice)) {
    const rows = slice.rowsByKey.get(key)
    if (rows !== undefined) add(columns, slice, key, rows, scopes)
    const pause = breathe()
    if (pause !== undefined) await pause
  }
  columns.rows = columns.slugs.length
  return columns
}

function emptyColumns({ digest, keyType, dated, chain, fields }: SetSlice): Columns {
  return {
    digest,
    rows: 0,
    slugs: [],
    ...(keyType === null ? {} : { keys: [], keyOf: [] }),
    scopes: [],
    scopeOf: [],
    ...(dated ? { from: [], to: [] } : {}),
    ...(chain.includes('permission_set') ? { priority: [] } : {}),
    values: Object.fromEntries(fields.map(({ key }) => [key, []])),
  }
}

function add(
  columns: Columns,
  slice: SetSlice,
  key: string,
  rows: KeyRows,
  scopes: Map<string, number>,
): void {
  const skipped = slice.set.length + 1
  const keyAt = columns.keys === undefined ? 0 : columns.keys.push(key) - 1
  for (const kind of slice.chain)
    for (const lane of lanesOf(rows, kind))
      for (let at = lane.length - 1; at >= 0; at -= 1) {
        const row = lane[at]!
        // The default of a flag stands in its definition, and is no entry.
        if (row.entry === slice.set) continue
        columns.slugs.push(row.entry.slice(skipped))
        columns.keyOf?.push(keyAt)
        columns.scopeOf.push(placeOf(columns, row.scope, scopes))
        columns.from?.push(row.from)
        columns.to?.push(row.to === Infinity ? null : row.to)
        columns.priority?.push(kind === 'permission_set' ? row.priority : null)
        for (const { key: field } of slice.fields) columns.values[field]!.push(row.values[field] ?? null)
      }
}

function lanesOf(rows: KeyRows, kind: ScopeKind): Iterable<SliceRow[]> {
  if (kind === 'org') return rows.org === null ? [] : [rows.org]
  const lanes = [...(rows[kind]?.values() ?? [])]
  return lanes.sort((a, b) => (scopeName(a[0]!.scope) < scopeName(b[0]!.scope) ? -1 : 1))
}

function placeOf({ scopes }: Columns, scope: Scope, known: Map<string, number>): number {
  const text = scopeText(scope)
  let place = known.get(text)
  if (place === undefined) known.set(text, (place = scopes.push(scope) - 1))
  return place
}

/** A large slice is unpacked while its keys are gone through. */
async function sortedKeys({ keyType, rowsByKey }: SetSlice): Promise<string[]> {
  if (keyType === null) return [SINGLETON]
  const keys: string[] = []
  const breathe = breather()
  for (const key of rowsByKey.keys()) {
    keys.push(key)
    const pause = breathe()
    if (pause !== undefined) await pause
  }
  if (keyType !== 'number') return keys.sort()
  const numbers = new Map(keys.map((key) => [key, parseDecimal(key)]))
  return keys.sort((a, b) => {
    const [one, other] = [numbers.get(a), numbers.get(b)]
    return one == null || other == null ? (a < b ? -1 : 1) : compareDecimal(one, other)
  })
}
