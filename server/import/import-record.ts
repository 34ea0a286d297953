// Records what imports brought to a set, row by row, so that the same file changes nothing again: repairs and edits
// stay (runtime state). A row is identified by the place that its content names, never by the place to which its entry
// has moved.
import type { Digest } from '#kernel/change/digest.ts'
import { splitId, type ComponentId } from '#kernel/components/component.ts'
import type { Viewer } from '../access/index.ts'
import { dropDraft } from '../pipeline/index.ts'
import { keyMovesOf, type KeyMoveHandler } from '../ports/key-moves.ts'
import type { OrgReader, OrgTransactor } from '../ports/org-store.ts'

export interface ImportedRow {
  /** Key of the resulting entry. */
  entry: string
  /** Digest of the row's content. */
  digest: Digest
  /** The active generation at the time of the import. */
  since: number
  /** A repair dropped it. */
  dropped?: true
}

/** Place of a row (business key, scope and first day as in the file) → the result. */
export type ImportRecord = Readonly<Record<string, ImportedRow>>

export function importsOf(reader: OrgReader, set: string): ImportRecord {
  return (reader.settings.get(settingOf(set)) as unknown as ImportRecord | undefined) ?? {}
}

export interface ImportRecordUpdate {
  record: ImportRecord
  /** Entries that a repair dropped. */
  dropped?: readonly ComponentId[]
  /** What the importing user can see. */
  viewer: Viewer | null
}

/**
 * Written in the transaction that keeps the import. What other files brought to the set stays recorded. Returns the
 * drafts that it discarded.
 */
export function saveImportRecord(
  transactor: OrgTransactor,
  set: string,
  { record, dropped = [], viewer }: ImportRecordUpdate,
): ComponentId[] {
  saveRecord(transactor, set, { ...importsOf(transactor, set), ...record })
  return saveDroppedEntries(transactor, dropped, viewer)
}

/**
 * A repair dropped entries that were never active: their rows stay out, and no draft restores them. Returns the drafts
 * that it discarded.
 */
export function saveDroppedEntries(
  transactor: OrgTransactor,
  dropped: readonly ComponentId[],
  viewer: Viewer | null,
): ComponentId[] {
  const generation = transactor.generations.active()
  const never = dropped.filter((id) => transactor.components.digest(generation, id) === undefined)
  const discarded = never.filter((id) => dropDraft(transactor, id, viewer))
  const bySet = Map.groupBy(
    never.map((id) => splitId(id).key),
    (key) => key.split('.')[0]!,
  )
  for (const [set, keys] of bySet) {
    const gone = new Set(keys)
    const record = Object.entries(importsOf(transactor, set)).map(([place, row]): [string, ImportedRow] => [
      place,
      gone.has(row.entry) ? { ...row, dropped: true } : row,
    ])
    if (record.length > 0) saveRecord(transactor, set, Object.fromEntries(record))
  }
  return discarded
}

/** The record of a set follows its key, and is deleted with the set. */
export const moveImportRecords: KeyMoveHandler = (transactor, { moves }) => {
  // A new set may have been created by the import that is recorded.
  const keys = keyMovesOf(
    moves.filter(({ from }) => from !== null),
    'config_set',
  )
  const held = [...keys].map(([from, to]) => ({ from, to, record: importsOf(transactor, from) }))
  for (const { from } of held) transactor.settings.delete(settingOf(from))
  for (const { from, to, record } of held)
    if (to !== null && Object.keys(record).length > 0)
      saveRecord(transactor, to, moveRecord(record, from, to))
}

/** The entries have moved with their set. */
function moveRecord(record: ImportRecord, from: string, to: string): ImportRecord {
  const moveRow = ({ entry, ...row }: ImportedRow): ImportedRow => ({
    ...row,
    entry: entry.startsWith(`${from}.`) ? to + entry.slice(from.length) : entry,
  })
  return Object.fromEntries(Object.entries(record).map(([place, row]) => [place, moveRow(row)]))
}

function saveRecord(transactor: OrgTransactor, set: string, record: ImportRecord): void {
  transactor.settings.put(settingOf(set), record as never)
}

function settingOf(set: string): string {
  return `import-rows/${set}`
}
