// What the last import of a set gave, so that the same file changes nothing again: repairs and edits stand (run-time state).
import type { ComponentId } from '#kernel/components/component.ts'
import type { OrgReader, OrgTransactor } from '../ports/org-store.ts'

/** Entry id → its digest as the file gave it; `dropped <digest>` where a repair removed it. */
export type ImportRecord = Readonly<Record<string, string>>

export function lastImport(reader: OrgReader, set: string): ImportRecord | null {
  return (reader.setting(settingOf(set)) as ImportRecord | undefined) ?? null
}

/** Written in the transaction that keeps what was imported. `dropped`: entries that a repair left out. */
export function rememberImport(
  transactor: OrgTransactor,
  set: string,
  record: ImportRecord,
  dropped: Iterable<ComponentId> = [],
): void {
  const marked: Record<string, string> = { ...record }
  for (const id of dropped) if (marked[id] !== undefined) marked[id] = `dropped ${marked[id]}`
  transactor.putSetting(settingOf(set), marked)
}

function settingOf(set: string): string {
  return `import/${set}`
}
