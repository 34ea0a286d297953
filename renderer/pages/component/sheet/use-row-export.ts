// Exports of a set: all of it at the active generation, or the selected rows with their drafts.
import { computed } from 'vue'
import { messageOf } from '../../../api/request.ts'
import { exportAddress, exportRows } from '../../../api/tables.ts'
import { useOrg } from '../../../stores/org.ts'
import { count } from '../../../text/words.ts'
import type { SheetView } from './use-sheet-view.ts'

export function useRowExport(view: SheetView) {
  const org = useOrg()
  const { sheet, set, saver } = view.open

  const exports = computed(() => {
    const rows = view.selection.value.rects.reduce((sum, { top, bottom }) => sum + bottom - top + 1, 0)
    const generation = org.org?.generation.generation
    return [
      { id: 'csv', label: `Set as CSV, generation ${generation}` },
      { id: 'xlsx', label: `Set for Excel, generation ${generation}` },
      { id: 'rows-csv', label: `${count(rows, 'selected row')} as CSV, with drafts` },
      { id: 'rows-xlsx', label: `${count(rows, 'selected row')} for Excel, with drafts` },
    ]
  })

  async function exportAs(id: string): Promise<void> {
    const format = id.endsWith('xlsx') ? 'xlsx' : 'csv'
    if (!id.startsWith('rows-')) return window.location.assign(exportAddress(set, format))
    try {
      await saver.save()
      const slugs = view.selectedIds().map((row) => sheet.slugOf(row))
      await exportRows(set, format, slugs)
      view.setStatus(`${count(slugs.length, 'row')} exported.`)
    } catch (error) {
      view.setStatus(messageOf(error), null, true)
    }
  }

  return { exports, exportAs }
}
