// What imports brought to a set, row by row, so that the same file changes nothing again: repairs and edits stand
// (run-time state). A row is known by what it says of its place, never by where its entry went since.
import type { Digest } from '#kernel/change/digest.ts'
import { splitId, type ComponentId } from '#kernel/components/component.ts'
import type { ActorSight } from '../access/index.ts'
import { dropDraft } from '../pipeline/index.ts'
import { movesOf, type KeyFollower } from '../ports/key-moves.ts'
import type { OrgReader, OrgTransactor } from '../ports/org-store.ts'

export interface ImportedRow {
  /** Key of the entry that it became. */
  entry: string
  /** Of what the row said. */
  digest: Digest
  /** The active generation when it was taken. */
  since: number
  /** A repair left it out. */
  dropped?: true
}

/** Place of a row (business key, scope and first day as the file says them) → what it became. */
export type ImportRecord = Readonly<Record<string, ImportedRow>>

export function importsOf(reader: OrgReader, set: string): ImportRecord {
  return (reader.setting(settingOf(set)) as unknown as ImportRecord | undefined) ?? {}
}

export interface RememberedImport {
  record: ImportRecord
  /** Entries that a repair left out. */
  dropped?: readonly ComponentId[]
  /** Of the user who imports. */
  sight: ActorSight | null
}

/** Written in the transaction that keeps what was imported. What other files brought to the set stays known. */
export function rememberImport(
  transactor: OrgTransactor,
  set: string,
  { record, dropped = [], sight }: RememberedImport,
): void {
  put(transactor, set, { ...importsOf(transactor, set), ...record })
  rememberDropped(transactor, dropped, sight)
}

/** A repair left entries out that were never active: their rows stay out, and no draft brings them back. */
export function rememberDropped(
  transactor: OrgTransactor,
  dropped: readonly ComponentId[],
  sight: ActorSight | null,
): void {
  const generation = transactor.activeGeneration()
  const never = dropped.filter((id) => transactor.digestOf(generation, id) === undefined)
  for (const id of never) dropDraft(transactor, id, sight)
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
    if (record.length > 0) put(transactor, set, Object.fromEntries(record))
  }
}

/** What imports brought to a set is known under the name that it has; of one that is gone nothing is. */
export const followImports: KeyFollower = (transactor, { moves }) => {
  // A new set may have been made by the import that its record is of.
  const keys = movesOf(
    moves.filter(({ from }) => from !== null),
    'config_set',
  )
  const held = [...keys].map(([from, to]) => ({ from, to, record: importsOf(transactor, from) }))
  for (const { from } of held) transactor.deleteSetting(settingOf(from))
  for (const { from, to, record } of held)
    if (to !== null && Object.keys(record).length > 0) put(transactor, to, underSet(record, from, to))
}

/** The entries went along with their set. */
function underSet(record: ImportRecord, from: string, to: string): ImportRecord {
  const moved = ({ entry, ...row }: ImportedRow): ImportedRow => ({
    ...row,
    entry: entry.startsWith(`${from}.`) ? to + entry.slice(from.length) : entry,
  })
  return Object.fromEntries(Object.entries(record).map(([place, row]) => [place, moved(row)]))
}

function put(transactor: OrgTransactor, set: string, record: ImportRecord): void {
  transactor.putSetting(settingOf(set), record as never)
}

function settingOf(set: string): string {
  return `import-rows/${set}`
}
