// Saves the records of a list as a CSV file, all pages of it.
import { csvLine, guardText } from '#kernel/export/index.ts'
import type { ObjectDescription, RecordJson } from '../../api/records.ts'
import { saveFile } from '../results/save-file.ts'

const pageSize = 2000

interface ReadPage {
  records: readonly RecordJson[]
  nextCursor: string | null
}

/** @param onProgress receives the number of records so far */
export async function exportRecords(
  { key, fields }: Pick<ObjectDescription, 'key' | 'fields'>,
  readPage: (names: readonly string[], page: { limit: number; cursor: string | null }) => Promise<ReadPage>,
  onProgress: (done: number) => void,
): Promise<void> {
  const names = fields.map((field) => field.key)
  const numbers = new Set(fields.filter(({ type }) => type === 'number').map((field) => field.key))
  const lines = [csvLine(['id', ...names])]
  let cursor: string | null = null
  do {
    const page: ReadPage = await readPage(names, { limit: pageSize, cursor })
    for (const { id, fields: values } of page.records)
      lines.push(
        csvLine([
          id,
          ...names.map((name) => {
            const text = String(values[name] ?? '')
            return numbers.has(name) ? text : guardText(text)
          }),
        ]),
      )
    onProgress(lines.length - 1)
    cursor = page.nextCursor
  } while (cursor !== null)
  saveFile(`${key}.csv`, lines.join(''))
}
