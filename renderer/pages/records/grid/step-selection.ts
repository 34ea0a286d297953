// Where the cells of a step are in the grid that is shown.
import type { RecordJson } from '../../../api/records.ts'
import * as sel from '../../component/sheet/selection.ts'
import type { GridColumn } from '../grid-columns.ts'

/** The smallest block with all cells of these records and fields; null if the page shows none of them. */
export function blockOf(
  rows: readonly RecordJson[],
  columns: readonly GridColumn[],
  { records, fields }: { records: ReadonlySet<string>; fields: ReadonlySet<string> },
): sel.Selection | null {
  const at = rows.flatMap(({ id }, row) => (records.has(id) ? [row] : []))
  const across = columns.flatMap(({ along, field }, column) =>
    along === null && fields.has(field.key) ? [column] : [],
  )
  if (at.length === 0 || across.length === 0) return null
  return sel.extendedTo(sel.only({ row: at[0]!, column: across[0]! }), {
    row: at.at(-1)!,
    column: across.at(-1)!,
  })
}
