// A grid of records as the keys and the editor of a sheet see it: the selected cells, the edited one, the clipboard.
import { computed, ref, shallowRef, watch, type Ref } from 'vue'
import type { ObjectDescription, RecordJson, RecordValue } from '../../../api/records.ts'
import { useViewedUser } from '../../../stores/viewed-user.ts'
import { count } from '../../../text/words.ts'
import { formatBlock, parseBlock } from '../../component/sheet/cell-block.ts'
import { dateOrderOf } from '../../component/sheet/cell-text.ts'
import * as sel from '../../component/sheet/selection.ts'
import { storedName, type GridColumn } from '../grid-columns.ts'
import { useRecordEdits } from '../record-edits.ts'
import { recordPath } from '../record-words.ts'
import { useCellSaves } from './cell-saves.ts'
import type { createCellSaver, TypedCell } from './cell-saver.ts'
import { editedColumn, editedContext, editText, readValue } from './edited-column.ts'
import { whyFixed } from './edit-rule.ts'

export interface GridDeps {
  object: Readonly<Ref<ObjectDescription | null>>
  columns: Readonly<Ref<readonly GridColumn[]>>
  records: Readonly<Ref<readonly RecordJson[] | null>>
  saver: ReturnType<typeof createCellSaver>
}

export interface GridEdit {
  cell: sel.Cell
  /** The record that is written, even if others take its place in the meantime. */
  id: string
  text: string
  replacesText: boolean
}

export type RecordGrid = ReturnType<typeof useRecordGrid>

export function useRecordGrid({ object, columns: gridColumns, records, saver }: GridDeps) {
  const edits = useRecordEdits()
  const saves = useCellSaves()
  const viewed = useViewedUser()
  const rows = computed(() => records.value ?? [])
  const columns = computed(() => gridColumns.value.map(editedColumn))
  const context = computed(() => editedContext(gridColumns.value))
  const bounds = computed<sel.Bounds>(() => ({ rows: rows.value.length, columns: columns.value.length }))
  const selection = shallowRef(sel.only({ row: 0, column: 0 }))
  const editing = shallowRef<GridEdit | null>(null)
  /** What the last action did, or why it did nothing. */
  const status = ref('')
  const activeColumn = computed(() => gridColumns.value[selection.value.active.column]?.field)

  watch(bounds, (now) => (selection.value = sel.within(selection.value, now)))
  watch(rows, (now) => {
    if (!now.some(({ id }) => id === editing.value?.id)) cancel()
  })

  const pathOf = ({ id }: { id: string }): string => recordPath(object.value?.key ?? '', id)

  // ---- cells ----

  /** What was typed into a cell and is not saved yet, or else what is stored. */
  function shownValue(record: RecordJson, column: GridColumn): { value: RecordValue; name: string } {
    const { field, along } = column
    const path = pathOf(record)
    const typed = along === null && !viewed.isViewing ? edits.of(path)[field.key] : undefined
    const value = typed === undefined ? (record.fields[storedName(column)] ?? null) : typed
    if (field.references === null) return { value, name: '' }
    const known = typed === undefined ? record.fields[column.name] : saves.of(path, field.key)?.display
    // A record that the user cannot see has no name.
    const isNamed = typeof known === 'string' && known !== '' && (along !== null || known !== value)
    return { value, name: isNamed ? known : `…${String(value).slice(-4)}` }
  }

  function valueAt({ row, column }: sel.Cell): RecordValue {
    const [record, of] = [rows.value[row], gridColumns.value[column]]
    return record === undefined || of === undefined ? null : shownValue(record, of).value
  }
  function textAt({ row, column }: sel.Cell): string {
    const [record, of] = [rows.value[row], gridColumns.value[column]]
    if (record === undefined || of === undefined) return ''
    const { value, name } = shownValue(record, of)
    return of.field.references !== null && value !== null ? name : editText(of, value)
  }
  const isFilled = (cell: sel.Cell): boolean => valueAt(cell) !== null

  /** Why a cell cannot be edited; null if it can. */
  const whyFixedAt = (column: number): string | null => {
    const of = gridColumns.value[column]
    return object.value === null || of === undefined ? null : whyFixed(object.value, of)
  }

  // ---- selection ----

  function select(cell: sel.Cell, how: 'only' | 'extend' = 'only'): void {
    status.value = ''
    selection.value = sel.within(
      how === 'extend' ? sel.extendedTo(selection.value, cell) : sel.only(cell),
      bounds.value,
    )
  }

  function selectedCells(): sel.Cell[] {
    return sel
      .selectedRows(selection.value)
      .flatMap((row) => sel.selectedColumns(selection.value, row).map((column) => ({ row, column })))
  }

  // ---- editing ----

  function edit(text?: string): void {
    const { active } = selection.value
    const record = rows.value[active.row]
    if (record === undefined) return
    const why = whyFixedAt(active.column)
    if (why !== null) return void (status.value = why)
    status.value = ''
    editing.value = {
      cell: active,
      id: record.id,
      text: text ?? (activeColumn.value?.references === null ? textAt(active) : ''),
      replacesText: text !== undefined,
    }
  }

  const cancel = (): void => void (editing.value = null)

  /** Ends editing with what was typed; `everywhere` writes it into every selected cell. */
  function commit(text: string, everywhere = false): void {
    const now = editing.value
    cancel()
    const column = now === null ? undefined : gridColumns.value[now.cell.column]
    if (now === null || column === undefined) return
    if (everywhere) {
      const cells = selectedCells().map((cell) => ({ cell, typed: typedInto(cell, text) }))
      writeCells(cells, 'written')
    } else if (text !== now.text || now.replacesText)
      void saver.write(now.id, { [column.field.key]: { value: readValue(column, text, context.value) } })
  }

  /** Ends editing a reference with the record that was picked; null clears it. */
  function commitReference(value: string | null, display: string): void {
    const now = editing.value
    cancel()
    const column = now === null ? undefined : gridColumns.value[now.cell.column]
    if (now === null || column === undefined) return
    void saver.write(now.id, { [column.field.key]: { value, display } })
  }

  // ---- several cells ----

  /** `typed` is null if the text cannot be written into the cell. */
  type Write = { cell: sel.Cell; typed: TypedCell | null }

  /** Each record is saved once, with all of its cells. */
  function writeCells(writes: readonly Write[], verb: string): void {
    const byRecord = new Map<string, Record<string, TypedCell>>()
    let written = 0
    for (const { cell, typed } of writes) {
      const [record, column] = [rows.value[cell.row], gridColumns.value[cell.column]]
      if (typed === null || record === undefined || column === undefined) continue
      byRecord.set(record.id, { ...byRecord.get(record.id), [column.field.key]: typed })
      written += 1
    }
    const left = writes.length - written
    status.value =
      `${count(written, 'cell')} ${verb} in ${count(byRecord.size, 'record')}.` +
      (left === 0
        ? ''
        : ` ${count(left, 'cell')} cannot be edited or read, and ${left === 1 ? 'is' : 'are'} as before.`)
    for (const [id, cells] of byRecord) void saver.write(id, cells)
  }

  function typedInto(
    { column }: sel.Cell,
    text: string,
    order: ReturnType<typeof dateOrderOf> = null,
  ): TypedCell | null {
    const of = gridColumns.value[column]
    if (of === undefined || whyFixedAt(column) !== null) return null
    if (of.field.references === null) return { value: readValue(of, text, context.value, order) }
    if (text.trim() === '') return { value: null, display: '' }
    const id = knownReference(of, text)
    return id === null ? null : { value: id, display: text }
  }

  /** The record that a name means, if the page shows exactly one of this name in the column. */
  function knownReference(column: GridColumn, name: string): string | null {
    const found = new Set(
      rows.value
        .map((record) => shownValue(record, column))
        .filter((each) => each.value !== null && each.name === name)
        .map(({ value }) => String(value)),
    )
    return found.size === 1 ? [...found][0]! : null
  }

  function clear(): void {
    const cells = selectedCells()
    const why = cells.length === 1 ? whyFixedAt(cells[0]!.column) : null
    if (why !== null) return void (status.value = why)
    writeCells(
      cells.map((cell) => ({ cell, typed: typedInto(cell, '') })),
      'cleared',
    )
  }

  /** Repeats the first row or column of the selection over the others. */
  function fillFrom(way: 'down' | 'right'): void {
    const { top, left } = selection.value.rects.at(-1)!
    const cells = selectedCells().filter(({ row, column }) => (way === 'down' ? row > top : column > left))
    if (cells.length === 0) return void (status.value = 'Select the cells to fill as well.')
    writeCells(
      cells.map((cell) => ({
        cell,
        typed: copyInto(cell, way === 'down' ? { ...cell, row: top } : { ...cell, column: left }),
      })),
      'filled',
    )
  }

  function copyInto(cell: sel.Cell, from: sel.Cell): TypedCell | null {
    const [of, source] = [gridColumns.value[cell.column], gridColumns.value[from.column]]
    const isSame = of?.field.type === source?.field.type && of?.field.references === source?.field.references
    if (of === undefined || !isSame || whyFixedAt(cell.column) !== null) return null
    return { value: valueAt(from), display: textAt(from) }
  }

  function copied(): string {
    const rect = selection.value.rects.at(-1)!
    const block: string[][] = []
    for (let row = rect.top; row <= rect.bottom; row += 1) {
      const line: string[] = []
      for (let column = rect.left; column <= rect.right; column += 1) line.push(textAt({ row, column }))
      block.push(line)
    }
    return formatBlock(block)
  }

  /** Pastes a block from the first selected cell; one cell fills the selection. */
  function paste(text: string): void {
    const block = parseBlock(text)
    const { top, left } = selection.value.rects.at(-1)!
    if (block.length === 1 && block[0]!.length === 1)
      return writeCells(
        selectedCells().map((cell) => ({ cell, typed: typedInto(cell, block[0]![0]!) })),
        'pasted',
      )
    const writes = block.flatMap((line, down) =>
      line.map((each, across): Write => {
        const cell = { row: top + down, column: left + across }
        const order = dateOrderOf(block.map((other) => other[across] ?? ''))
        return { cell, typed: cell.row < bounds.value.rows ? typedInto(cell, each, order) : null }
      }),
    )
    writeCells(writes, 'pasted')
  }

  return {
    ...{ rows, columns, gridColumns, context, bounds, selection, editing, status, activeColumn },
    ...{
      pathOf,
      shownValue,
      valueAt,
      textAt,
      isFilled,
      whyFixedAt,
      select,
      edit,
      cancel,
      commit,
      commitReference,
    },
    ...{ clear, fillFrom, copied, paste },
    typing: (): void => undefined,
  }
}
