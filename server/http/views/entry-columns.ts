// Writes the entries of a set as columns, a compact response for a grid of a hundred thousand rows.
import { scopeName, scopeText, type Scope, type ScopeKind } from '#kernel/components/scopes.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import { SINGLETON_KEY, type KeyRows, type SetSlice, type SliceRow } from '#kernel/config/index.ts'
import { compareDecimal, parseDecimal } from '#kernel/decimal/decimal.ts'
import type { EntryColumns } from '#wire/entry-columns.ts'
import { createYielder } from '../../pipeline/index.ts'

const piecesCache = new WeakMap<SetSlice, Promise<string[]>>()

/**
 * Returns the rows of a set as JSON in pieces: by business key, then by scope chain, then the latest first. Created
 * once for each slice, between other work.
 */
export function entryColumns(slice: SetSlice): Promise<string[]> {
  let pieces = piecesCache.get(slice)
  if (pieces === undefined) {
    pieces = collectColumns(slice).then(piecesOf)
    piecesCache.set(slice, pieces)
    pieces.catch(() => piecesCache.delete(slice))
  }
  return pieces
}

/** Yields the labels as JSON in pieces, each with the slug of its entry. Reads all entries, between other work. */
export async function entryLabels({ digest, set }: SetSlice, view: ComponentView): Promise<string[]> {
  const slugs: string[] = []
  const labels: string[] = []
  const breathe = createYielder()
  for (const { key, label } of view.entriesOf(set)) {
    slugs.push(key.slice(set.length + 1))
    labels.push(label)
    const pause = breathe()
    if (pause !== undefined) await pause
  }
  return piecesOf({ digest, slugs, labels })
}

/** Items of a list that are written at once. */
const itemsAtOnce = 10_000

async function piecesOf(value: object): Promise<string[]> {
  const breathe = createYielder()
  const pieces: string[] = []
  const write = async (name: string, part: unknown): Promise<void> => {
    pieces.push(`${JSON.stringify(name)}:`)
    if (Array.isArray(part)) await writeList(part)
    else if (typeof part === 'object' && part !== null) await writeObject(part)
    else pieces.push(JSON.stringify(part))
  }
  const writeObject = async (object: object): Promise<void> => {
    pieces.push('{')
    for (const [at, [name, part]] of Object.entries(object).entries()) {
      if (at > 0) pieces.push(',')
      await write(name, part)
    }
    pieces.push('}')
  }
  const writeList = async (items: readonly unknown[]): Promise<void> => {
    pieces.push('[')
    for (let at = 0; at < items.length; at += itemsAtOnce) {
      const text = JSON.stringify(items.slice(at, at + itemsAtOnce)).slice(1, -1)
      pieces.push(at > 0 ? `,${text}` : text)
      await breathe()
    }
    pieces.push(']')
  }
  await writeObject(value)
  return pieces
}

async function collectColumns(slice: SetSlice): Promise<EntryColumns> {
  const columns = emptyColumns(slice)
  const scopes = new Map<string, number>()
  const breathe = createYielder()
  for (const key of await sortedKeys(slice)) {
    const rows = slice.rowsByKey.get(key)
    if (rows !== undefined) add(columns, slice, key, rows, scopes)
    const pause = breathe()
    if (pause !== undefined) await pause
  }
  columns.rows = columns.slugs.length
  return columns
}

function emptyColumns({ digest, keyType, dated, chain, fields }: SetSlice): EntryColumns {
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
  columns: EntryColumns,
  slice: SetSlice,
  key: string,
  rows: KeyRows,
  scopes: Map<string, number>,
): void {
  const skipped = slice.set.length + 1
  const keyAt = columns.keys === undefined ? 0 : columns.keys.push(key) - 1
  for (const kind of slice.chain)
    for (const lane of rowGroupsOf(rows, kind))
      for (let at = lane.length - 1; at >= 0; at -= 1) {
        const row = lane[at]!
        // The default of a flag is in its definition and is not an entry.
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

function rowGroupsOf(rows: KeyRows, kind: ScopeKind): Iterable<SliceRow[]> {
  if (kind === 'org') return rows.org === null ? [] : [rows.org]
  const lanes = [...(rows[kind]?.values() ?? [])]
  return lanes.sort((a, b) => (scopeName(a[0]!.scope) < scopeName(b[0]!.scope) ? -1 : 1))
}

function placeOf({ scopes }: EntryColumns, scope: Scope, known: Map<string, number>): number {
  const text = scopeText(scope)
  let place = known.get(text)
  if (place === undefined) known.set(text, (place = scopes.push(scope) - 1))
  return place
}

/** Iterating over the keys of a large slice unpacks it. */
async function sortedKeys({ keyType, rowsByKey }: SetSlice): Promise<string[]> {
  if (keyType === null) return [SINGLETON_KEY]
  const keys: string[] = []
  const breathe = createYielder()
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
