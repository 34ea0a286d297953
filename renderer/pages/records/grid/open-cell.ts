// The text in the open cell of a grid of records: it is there again after the window was closed or loaded again.
import type { Ref } from 'vue'
import type { RecordJson, RecordValue } from '../../../api/records.ts'
import { whenBackupOwnerKnown } from '../../../stores/local-backup.ts'
import type { CellContext } from '../../component/sheet/cell-text.ts'
import type { Cell } from '../../component/sheet/selection.ts'
import { loadUnsavedCell, saveUnsavedCell } from '../../../stores/unsaved-cell.ts'
import { storedName, type GridColumn } from '../grid-columns.ts'
import { useRecordEdits } from '../record-edits.ts'
import { recordPath } from '../../../text/record-address.ts'
import { readValue } from './edited-column.ts'

interface OpenCellDeps {
  /** Key of the object. */
  object(): string
  rows: Readonly<Ref<readonly RecordJson[]>>
  columns: Readonly<Ref<readonly GridColumn[]>>
  context: Readonly<Ref<CellContext>>
  whyFixed(column: number): string | null
  isOpen(): boolean
  /** Opens a cell with a text. */
  open(cell: Cell, text: string): void
  status: Ref<string>
}

export function keepOpenCell(deps: OpenCellDeps) {
  const edits = useRecordEdits()
  const place = (): string => `records/${deps.object()}`
  const storedIn = (record: RecordJson | undefined, column: GridColumn): RecordValue =>
    record?.fields[storedName(column)] ?? null

  /** Called with each letter. */
  function keep(id: string, column: GridColumn, text: string): void {
    const record = deps.rows.value.find((each) => each.id === id)
    saveUnsavedCell(place(), { row: id, column: column.name, text, base: storedIn(record, column) })
  }

  const forget = (): void => saveUnsavedCell(place(), null)

  /** Opens the cell again in which the user was typing when the window was closed. */
  async function resume(): Promise<void> {
    await whenBackupOwnerKnown()
    const half = deps.isOpen() ? null : loadUnsavedCell(place())
    if (half?.row == null) return
    const cell = {
      row: deps.rows.value.findIndex(({ id }) => id === half.row),
      column: deps.columns.value.findIndex(({ name }) => name === half.column),
    }
    const column = deps.columns.value[cell.column]
    // The text stays until a list is open that shows the column.
    if (column === undefined)
      return void (deps.status.value = `You were typing “${half.text}” into a column that is not shown.`)
    forget()
    const why = deps.whyFixed(cell.column)
    if (why !== null) return void (deps.status.value = `“${half.text}” is not saved. ${why}`)
    const record = deps.rows.value[cell.row]
    const isUnchanged = half.base === undefined || half.base === storedIn(record, column)
    if (record !== undefined && (isUnchanged || column.field.references !== null))
      return deps.open(cell, half.text)
    // Over the value that the user saw: a save shows what others stored since.
    if (column.field.references !== null) return
    const value = readValue(column, half.text, deps.context.value)
    edits.set(recordPath(deps.object(), half.row), column.field.key, value, half.base ?? null)
    if (record === undefined)
      deps.status.value = `“${half.text}” is in ${column.label} of a record that is not on this page. It is not saved yet.`
  }

  return { keep, forget, resume }
}
