// Saves the records of a query as a CSV file, all pages of it.
import { csvLine, guardText } from '#kernel/export/index.ts'
import { queryRecords, type InApp, type ObjectDescription, type RecordQuery } from '../../api/records.ts'
import { saveFile } from '../results/save-file.ts'

const pageSize = 2000

/** @param onProgress receives the number of records so far */
export async function exportRecords(
  query: Omit<RecordQuery, 'limit' | 'cursor'>,
  { key, fields }: ObjectDescription,
  onProgress: (done: number) => void,
  app: InApp,
): Promise<void> {
  const names = fields.map((field) => field.key)
  const numbers = new Set(fields.filter(({ type }) => type === 'number').map((field) => field.key))
  const lines = [csvLine(['id', ...names])]
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await queryRecords(
      {
        ...{ ...query, fields: names, limit: pageSize },
        ...(cursor === undefined ? {} : { cursor }),
      },
      undefined,
      app,
    )
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
  }
  saveFile(`${key}.csv`, lines.join(''))
}
