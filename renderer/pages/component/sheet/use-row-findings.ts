// The findings of the rows of an open sheet. Those that the server has not reported also go to the findings of the
// org, so the inspector and the dock count what the rows show.
import { computed, onScopeDispose, type ComputedRef } from 'vue'
import type { Finding } from '../../../api/wire.ts'
import { useProblems } from '../../../stores/problems.ts'
import type { EntrySet } from '../../../widgets/entry-set.ts'
import { faultsOf } from '../timeline/faults.ts'
import type { CellContext } from './cell-text.ts'
import { columnsOf } from './columns.ts'
import type { OpenSheet } from './open-sheet.ts'
import { draftedKeys } from './past-days.ts'
import { findingsOfRow, unreportedFindings, type RowFindingDeps, type UnsavedReason } from './row-findings.ts'
import { idOf } from './row-edit.ts'
import type { RowId } from './sheet-rows.ts'

/** The most edited rows and keys that are checked for the org; each visible row is always checked. */
const mostRows = 2000
const mostKeys = 200

export interface RowFindings {
  /** Changes whenever the findings of a row can change. */
  deps: ComputedRef<RowFindingDeps>
  ofRow: (row: RowId) => Finding[]
}

export function useRowFindings(
  open: OpenSheet,
  declared: ComputedRef<EntrySet>,
  context: ComputedRef<CellContext>,
): RowFindings {
  const problems = useProblems()
  const { sheet, saver, changes } = open

  const reported = computed(() => bySlug(problems.reported))
  const rangeFindings = computed((): ReadonlyMap<string, Finding[]> => {
    void changes.value
    if (!declared.value.dated || sheet.edited.size > mostRows) return new Map()
    const keys = [...draftedKeys(sheet, declared.value.keyedBy !== null)].slice(0, mostKeys)
    return bySlug(faultsOf(sheet, declared.value, keys).map(({ finding }) => finding))
  })
  const deps = computed((): RowFindingDeps => {
    void changes.value
    return {
      sheet,
      columns: columnsOf(declared.value),
      context: context.value,
      reported: reported.value,
      rangeFindings: rangeFindings.value,
      unsavedReason,
    }
  })

  function bySlug(findings: readonly Finding[]): ReadonlyMap<string, Finding[]> {
    const prefix = idOf(declared.value.key, '')
    const ofSet = findings.filter(({ component }) => component.startsWith(prefix))
    return Map.groupBy(ofSet, ({ component }) => component.slice(prefix.length))
  }

  function unsavedReason(name: string): UnsavedReason | null {
    if (saver.conflicts.has(name))
      return {
        code: 'sheet.conflict',
        message: 'Another user has drafted this row in the meantime. Choose which version to keep.',
      }
    const refused = saver.refused.get(name)
    return refused === undefined ? null : { code: 'sheet.refused', message: refused.words }
  }

  const unreported = computed(() => {
    const findingDeps = deps.value
    const ranged = [...findingDeps.rangeFindings.keys()].map((slug) => sheet.addedNameBySlug(slug) ?? slug)
    const names = new Set([
      ...saver.conflicts.keys(),
      ...saver.refused.keys(),
      ...ranged,
      ...sheet.edited.keys(),
    ])
    return [...names].slice(0, mostRows).flatMap((name) => {
      const row = sheet.rowNamed(name)
      return row === undefined ? [] : unreportedFindings(findingDeps, row)
    })
  })
  onScopeDispose(problems.addUnreported(unreported))

  return { deps, ofRow: (row) => findingsOfRow(deps.value, row) }
}
