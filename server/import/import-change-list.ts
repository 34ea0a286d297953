// Reads a file as a change list with the chosen repairs: one way for HTTP, the command line and a preview.
import { parseRepairChoice } from '#kernel/change/index.ts'
import type { ComponentId } from '#kernel/components/component.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import type { Finding } from '#kernel/errors/finding.ts'
import type { ImportMap } from '#kernel/import/index.ts'
import { requireAuthorPermission } from '../access/index.ts'
import type { OrgReader } from '../ports/org-store.ts'
import { loadImportHistory } from './import-history.ts'
import { importTable, type ImportResult } from './import-table.ts'
import type { LoadedTable } from './read-table.ts'
import { repairChanges, type RepairOptions } from './repair-changes.ts'

export interface ImportParams {
  set: string
  table: LoadedTable
  map: ImportMap
  /** Choices for findings, as in `config.range_gap=extend_earlier`. */
  repair: readonly string[]
  /** Import every row, including those that did not change since the last import. */
  again: boolean
}

export interface ImportChangeList extends Pick<
  ImportResult,
  'components' | 'removals' | 'existingDrafts' | 'record' | 'facts'
> {
  /** Entries that a repair dropped. */
  dropped: ComponentId[]
  findings: Finding[]
}

/**
 * @param view the active generation as its author sees it. @throws AlmanacError import.invalid, request.invalid,
 * access.denied
 */
export function createImportChangeList(
  reader: OrgReader,
  { set, table, map, repair, again }: ImportParams,
  view: ComponentView,
  terms: RepairOptions,
): ImportChangeList {
  if (terms.access !== null) requireAuthorPermission(terms.access)
  const memory = loadImportHistory(reader, set, terms.viewer)
  const imported = importTable({ set, table, map, history: memory, again }, view)
  const choices = repair.map((choice) => ({ ...parseRepairChoice(choice), set }))
  if (choices.length === 0) return { ...imported, dropped: [] }
  const repaired = repairChanges(reader, imported, choices, terms)
  const touched = new Set(repaired.touched)
  return {
    ...imported,
    components: repaired.components,
    removals: repaired.removals,
    dropped: repaired.dropped,
    existingDrafts: new Set([...imported.existingDrafts].filter((id) => !touched.has(id))),
    findings: [...imported.findings, ...repaired.findings],
  }
}
