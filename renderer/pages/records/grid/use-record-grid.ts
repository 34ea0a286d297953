// A grid of records as the keys and the editor of a sheet see it: the selected cells, the edited one, the clipboard.
import { computed, ref, shallowRef, watch, type Ref } from 'vue'
import type { ObjectDescription, RecordJson, RecordValue } from '../../../api/records.ts'
import { useOrg } from '../../../stores/org.ts'
import { useViewedUser } from '../../../stores/viewed-user.ts'
import { count } from '../../../text/words.ts'
import { formatBlock, parseBlock } from '../../component/sheet/cell-block.ts'
import { trackSelection } from '../../component/sheet/followed-selection.ts'
import * as sel from '../../component/sheet/selection.ts'
import { storedName, type GridColumn } from '../grid-columns.ts'
import { useRecordEdits } from '../record-edits.ts'
import { useRecordPlaces } from '../record-places.ts'
import { nameFieldOf } from '../record-source.ts'
import { recordPath } from '../../../text/record-address.ts'
import { useCellSaves } from './cell-saves.ts'
import type { createCellSaver } from './cell-saver.ts'
import { editedColumn, editedContext, editText, readValue, typedHint } from './edited-column.ts'
import { whyFixed, whyReadOnly } from './edit-rule.ts'
import { findReferences } from './find-references.ts'
import { pasteWrites, textsOfBlock, type PastedText } from './grid-paste.ts'
import { createGridWriter, type CellWrite } from './grid-writer.ts'
import { keepOpenCell } from './open-cell.ts'
import { blockOf } from './step-selection.ts'

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
  const org = useOrg()
  const places = useRecordPlaces()
  const rows = computed(() => records.value ?? [])
  const columns = computed(() => gridColumns.value.map(editedColumn))
  const context = computed(() => editedContext(gridColumns.value))
  const bounds = computed<sel.Bounds>(() => ({ rows: rows.value.length, columns: columns.value.length }))
  const selection = shallowRef(sel.only({ row: 0, column: 0 }))
  const editing = shallowRef<GridEdit | null>(null)
  /** What the last action did, or why it did nothing. */
  const status = ref('')
  const activeColumn = computed(() => gridColumns.value[selection.value.active.column]?.field)

  /** The selection as it moved with its records: the page does not scroll to it. */
  const movedSelection = shallowRef(selection.value)
  watch([rows, bounds], ([now, size], [before]) => {
    const ids = (records: readonly RecordJson[]): string[] => records.map(({ id }) => id)
    // Before there were records, none was selected.
    const isSame = now === before || before.length === 0
    const moved = isSame ? selection.value : trackSelection(selection.value, ids(before), ids(now))
    movedSelection.value = selection.value = sel.within(moved, size)
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
    if (text !== undefined) typing(text)
  }

  function cancel(): void {
    // The text of an earlier window stays until its cell is open again.
    if (editing.value === null) return
    editing.value = null
    openCell.forget()
  }

  /** What is in the open cell now. */
  let typedText: string | null = null
  watch(editing, () => (typedText = null), { flush: 'sync' })

  const openCell = keepOpenCell({
    ...{ object: () => object.value?.key ?? '', rows, columns: gridColumns, context, status },
    whyFixed: whyFixedAt,
    isOpen: () => editing.value !== null,
    open(cell, text) {
      select(cell)
      edit(text)
    },
  })

  /** Called with each letter. */
  function typing(text: string): void {
    const now = editing.value
    const column = now === null ? undefined : gridColumns.value[now.cell.column]
    if (now === null || column === undefined) return
    openCell.keep(now.id, column, text)
    // The text with which a reference is looked for is not its value.
    if (column.field.references === null) typedText = text
  }

  /** Ends editing because the page changes: what was typed is saved as if the user had left the cell. */
  function finish(): void {
    if (typedText === null) cancel()
    else commit(typedText)
  }

  /** Ends editing with what was typed; `everywhere` writes it into every selected cell. */
  function commit(text: string, everywhere = false): void {
    const now = editing.value
    cancel()
    const column = now === null ? undefined : gridColumns.value[now.cell.column]
    const record = rows.value.find(({ id }) => id === now?.id)
    if (now === null || column === undefined || record === undefined) return
    if (everywhere) void writeTexts(selectedTexts(text), 'edit', 'written')
    else if (text !== now.text || now.replacesText)
      writer.write(
        editLabel(column, record),
        [{ record, column, typed: { value: readValue(column, text, context.value) } }],
        null,
      )
  }

  /** Empty if it has none. */
  function nameOf({ fields }: RecordJson): string {
    const named = object.value === null ? null : nameFieldOf(object.value)
    return String((named === null ? null : fields[named]) ?? '')
  }
  const recordName = (record: RecordJson): string =>
    nameOf(record) || `row ${rows.value.findIndex(({ id }) => id === record.id) + 1}`

  /** What an undo names: `edit of Net in O-1`. */
  function editLabel({ field }: GridColumn, record: RecordJson): string {
    const name = nameOf(record)
    return `edit of ${field.label}${name === '' ? '' : ` in ${name}`}`
  }

  /** Ends editing a reference with the record that was picked; null clears it. */
  function commitReference(value: string | null, display: string): void {
    const now = editing.value
    cancel()
    const column = now === null ? undefined : gridColumns.value[now.cell.column]
    const record = rows.value.find(({ id }) => id === now?.id)
    if (column === undefined || record === undefined) return
    writer.write(editLabel(column, record), [{ record, column, typed: { value, display } }], null)
  }

  // ---- several cells ----

  const selectedTexts = (text: string): PastedText[] => selectedCells().map((cell) => ({ ...cell, text }))

  async function writeTexts(texts: readonly PastedText[], label: string, verb: string): Promise<void> {
    const [fixed] = texts.length === 1 ? texts : []
    const why = fixed === undefined ? null : whyFixedAt(fixed.column)
    if (why !== null) return void (status.value = why)
    const { epoch } = org
    const app = places.value.app
    const writes = await pasteWrites(texts, {
      ...{ columns: gridColumns.value, context: context.value, rows: rows.value, whyFixed: whyFixedAt },
      find({ field }, names) {
        status.value = `Looking up ${count(names.length, 'name')}…`
        return findReferences(field.references!, names, { epoch, app })
      },
    })
    writer.write(label, writes, verb)
  }

  const clear = (): void => void writeTexts(selectedTexts(''), 'clear', 'cleared')

  /** Repeats the first row or column of the selection over the others. */
  function fillFrom(way: 'down' | 'right'): void {
    const { top, left } = selection.value.rects.at(-1)!
    const cells = selectedCells().filter(({ row, column }) => (way === 'down' ? row > top : column > left))
    if (cells.length === 0) return void (status.value = 'Select the cells to fill as well.')
    const writes = cells.map((cell) =>
      copyInto(cell, way === 'down' ? { ...cell, row: top } : { ...cell, column: left }),
    )
    writer.write(`fill ${way}`, writes, 'filled')
  }

  function copyInto(cell: sel.Cell, from: sel.Cell): CellWrite {
    const [column, source] = [gridColumns.value[cell.column], gridColumns.value[from.column]]
    const record = rows.value[cell.row]
    const why = whyFixedAt(cell.column)
    if (column === undefined || source === undefined || record === undefined || why !== null)
      return { why: why ?? 'The table ends there.' }
    const isSame =
      column.field.type === source.field.type && column.field.references === source.field.references
    if (!isSame) return { why: `${column.label} has values of a different type than ${source.label}.` }
    return { record, column, typed: { value: valueAt(from), display: textAt(from) } }
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
    const isOne = block.length === 1 && block[0]!.length === 1
    const texts = isOne ? selectedTexts(block[0]![0]!) : textsOfBlock(block, selection.value.rects.at(-1)!)
    void writeTexts(texts, 'paste', 'pasted')
  }

  // ---- undo ----

  /** Selects the cells of these records and fields that the page shows. */
  function show(records: ReadonlySet<string>, fields: ReadonlySet<string>): void {
    selection.value = blockOf(rows.value, gridColumns.value, { records, fields }) ?? selection.value
  }
  const writer = createGridWriter({
    ...{ object: () => object.value?.key ?? '', saver, status, show, recordName },
    whyFixed: () => (object.value === null ? null : whyReadOnly(object.value)),
  })
  const { undo, redo, undoLabel, redoLabel } = writer

  return {
    ...{ rows, columns, gridColumns, context, bounds, selection, movedSelection, editing, status },
    activeColumn,
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
      finish,
      commit,
      commitReference,
    },
    ...{ clear, fillFrom, copied, paste, show, undo, redo, undoLabel, redoLabel, owner: writer.owner },
    ...{ typing, resume: openCell.resume },
    hintOf: (column: number, text: string) => typedHint(gridColumns.value[column]!, text, context.value),
  }
}
