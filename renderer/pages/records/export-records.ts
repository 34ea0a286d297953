// The records of a list as CSV, all pages of it: as the grid shows them, or with the IDs and keys that an import needs.
import { isErased } from '#kernel/records/erased-value.ts'
import { csvLine, guardText } from '#kernel/export/index.ts'
import type { FieldDescription, ObjectDescription, RecordJson, RecordValue } from '../../api/records.ts'
import { columnsOf } from './grid-columns.ts'
import { labelOf } from './record-words.ts'

const pageSize = 2000

interface ReadPage {
  records: readonly RecordJson[]
  nextCursor: string | null
}

export type ExportForm = 'shown' | 'keys'

interface Column {
  /** In a query. */
  name: string
  head: string
  field: FieldDescription
}

interface RecordExport {
  columns: readonly Column[]
  form: ExportForm
}

/** Names of referenced records and labels of value sets, or their IDs and keys. */
export async function exportColumns(
  object: ObjectDescription,
  form: ExportForm,
  epoch: number,
): Promise<Column[]> {
  if (form === 'keys') return object.fields.map((field) => ({ name: field.key, head: field.key, field }))
  const columns = await columnsOf(object, epoch)
  return columns.map(({ name, label, field }) => ({ name, head: label, field }))
}

/** Without it, Excel takes the file for one in the code page of the machine, and umlauts are not as shown. */
const byteOrderMark = '\ufeff'

/** @param onProgress receives the number of records so far */
export async function recordsCsv(
  { columns, form }: RecordExport,
  readPage: (names: readonly string[], page: { limit: number; cursor: string | null }) => Promise<ReadPage>,
  onProgress: (done: number) => void,
): Promise<string> {
  // A reference whose name the user cannot see is shown by its ID.
  const names = [...new Set(columns.flatMap(({ name, field }) => [name, field.key]))]
  const ids = form === 'keys' ? ['id'] : []
  const lines = [csvLine([...ids, ...columns.map(({ head }) => head)])]
  let cursor: string | null = null
  do {
    const page: ReadPage = await readPage(names, { limit: pageSize, cursor })
    for (const record of page.records)
      lines.push(
        csvLine([
          ...(form === 'keys' ? [record.id] : []),
          ...columns.map((column) => cellText(column, record, form)),
        ]),
      )
    onProgress(lines.length - 1)
    cursor = page.nextCursor
  } while (cursor !== null)
  return (form === 'shown' ? byteOrderMark : '') + lines.join('')
}

function cellText({ name, field }: Column, { fields }: RecordJson, form: ExportForm): string {
  const value = fields[name] ?? fields[field.key] ?? null
  const text = form === 'keys' ? String(value ?? '') : shownText(field, value)
  return field.type === 'number' ? text : guardText(text)
}

/** Dates stay ISO 8601, which spreadsheets read as dates. */
function shownText(field: FieldDescription, value: RecordValue): string {
  if (value === null) return ''
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (isErased(value)) return 'erased'
  return field.type === 'enum' ? labelOf(field.labels, value) : value
}
