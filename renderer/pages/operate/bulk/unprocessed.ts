// The first rows that a bulk job has not processed. Only the beginning of the file with them is read.
import { openRows, type IngestJob } from '../../../api/ingest.ts'
import { csvHead } from './csv-head.ts'
import type { ShownRow } from './result-table.vue'

const mostBytes = 512 * 1024

export async function readUnprocessed(job: IngestJob, most: number): Promise<ShownRow[]> {
  if (job.bytesDone >= job.bytes) return []
  const { text, isWhole } = await beginningOf(await openRows(job.id, 'unprocessed'))
  return job.format === 'csv' ? csvRows(job, text, most, isWhole) : jsonRows(job, text, most, isWhole)
}

async function beginningOf({ body }: Response): Promise<{ text: string; isWhole: boolean }> {
  const reader = body!.getReader()
  const decoder = new TextDecoder()
  let [text, isWhole] = ['', false]
  while (!isWhole && text.length < mostBytes) {
    const { done, value } = await reader.read()
    isWhole = done
    text += decoder.decode(value, { stream: !done })
  }
  await reader.cancel()
  return { text, isWhole }
}

const shown = (line: number, row: Pick<ShownRow, 'row' | 'text'>): ShownRow => ({
  ...{ number: 0, line, id: null, outcome: 'unprocessed', error: null },
  ...row,
})

function csvRows(job: IngestJob, text: string, most: number, isWhole: boolean): ShownRow[] {
  const headerRows = job.hasHeader ? 1 : 0
  const read = csvHead(text, most + headerRows, false)
  const rows = 'fault' in read ? [] : read.rows.slice(headerRows)
  const columns = job.columns ?? []
  // The header is in place of the lines before.
  const before = job.linesDone - headerRows
  const found = rows.map(({ line, cells }) =>
    cells.length === columns.length
      ? shown(before + line, {
          row: Object.fromEntries(columns.flatMap((name, at) => (name === null ? [] : [[name, cells[at]]]))),
        })
      : shown(before + line, { text: cells.join(',') }),
  )
  if (found.length > 0 || !isWhole) return found
  // A row that cannot be read, and all after it.
  return text
    .split('\n')
    .slice(headerRows)
    .filter((line) => line.trim() !== '')
    .slice(0, most)
    .map((line, at) => shown(job.linesDone + at + 1, { text: line }))
}

function jsonRows(job: IngestJob, text: string, most: number, isWhole: boolean): ShownRow[] {
  const lines = text.split('\n')
  if (!isWhole) lines.pop()
  return lines
    .flatMap((line, at) => (line.trim() === '' ? [] : [jsonRow(job.linesDone + at + 1, line)]))
    .slice(0, most)
}

function jsonRow(line: number, text: string): ShownRow {
  try {
    return shown(line, { row: JSON.parse(text) as Record<string, unknown> })
  } catch {
    return shown(line, { text })
  }
}
