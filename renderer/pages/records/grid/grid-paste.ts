// What a pasted block writes into a grid of records: cells by their type, and references by the names of their records.
import type { RecordJson } from '../../../api/records.ts'
import { dateOrderOf, type CellContext, type DateOrder } from '../../component/sheet/cell-text.ts'
import type { GridColumn } from '../grid-columns.ts'
import { readValue } from './edited-column.ts'
import type { FoundReference } from './find-references.ts'
import type { CellWrite } from './grid-writer.ts'

export interface PasteParts {
  columns: readonly GridColumn[]
  context: CellContext
  /** Of the page that is shown. */
  rows: readonly RecordJson[]
  /** Why the cells of a column cannot be edited; null if they can. */
  whyFixed(column: number): string | null
  /** Finds the records that names mean, by name. */
  find(column: GridColumn, names: readonly string[]): Promise<ReadonlyMap<string, FoundReference>>
}

export interface PastedText {
  row: number
  column: number
  text: string
  order?: DateOrder | null
}

/** The cells of a block, from the first selected one. */
export function textsOfBlock(
  block: readonly (readonly string[])[],
  { top, left }: { top: number; left: number },
): PastedText[] {
  return block.flatMap((line, down) =>
    line.map((text, across) => ({
      ...{ row: top + down, column: left + across, text },
      order: dateOrderOf(block.map((other) => other[across] ?? '')),
    })),
  )
}

/** Reads the texts; a reference is looked up once for each name. */
export async function pasteWrites(texts: readonly PastedText[], parts: PasteParts): Promise<CellWrite[]> {
  const found = await findNames(texts, parts)
  return texts.map(({ row, column: at, text, order = null }): CellWrite => {
    const [record, column] = [parts.rows[row], parts.columns[at]]
    if (column === undefined) return { why: 'The table ends at its last column.' }
    if (record === undefined) return { why: `The page ends at row ${parts.rows.length}.` }
    const why = parts.whyFixed(at)
    if (why !== null) return { why }
    if (column.field.references === null)
      return { record, column, typed: { value: readValue(column, text, parts.context, order) } }
    const name = text.trim()
    if (name === '') return { record, column, typed: { value: null, display: '' } }
    const reference = found.get(column)?.get(name)
    if (reference?.id === undefined) return { why: reference?.why ?? `“${name}” was not found.` }
    return { record, column, typed: { value: reference.id, display: reference.name } }
  })
}

async function findNames(
  texts: readonly PastedText[],
  { columns, rows, whyFixed, find }: PasteParts,
): Promise<ReadonlyMap<GridColumn, ReadonlyMap<string, FoundReference>>> {
  const names = new Map<GridColumn, Set<string>>()
  for (const { row, column: at, text } of texts) {
    const column = columns[at]
    if (column === undefined || rows[row] === undefined || text.trim() === '') continue
    if (column.field.references === null || whyFixed(at) !== null) continue
    names.set(column, (names.get(column) ?? new Set()).add(text.trim()))
  }
  return new Map(
    await Promise.all(
      [...names].map(async ([column, all]) => [column, await find(column, [...all])] as const),
    ),
  )
}
