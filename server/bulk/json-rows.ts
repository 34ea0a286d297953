// The rows of JSON Lines: one object a line.
import { isUtf8 } from 'node:buffer'
import { jsonTextIssueMessage, scanJson } from '#kernel/components/scan-json.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { didYouMean } from '#kernel/errors/suggest.ts'
import type { IngestColumn } from '../ports/ingest.ts'
import type { IngestRow } from '../records/index.ts'
import { erasedRow, isErasedText } from './erased-text.ts'
import { largeJsonFault, mostRowBytes, requireBlankBytes, tooLongRow } from './row-limits.ts'

const newline = 0x0a

/** @param lines before the first byte */
export async function* jsonRows(
  bytes: AsyncIterable<Uint8Array>,
  columns: readonly IngestColumn[],
  lines = 0,
): AsyncIterable<IngestRow> {
  let rest = Buffer.alloc(0)
  let [end, line] = [0, lines]
  /** Of the last row. */
  let last = { end, line }
  const known = new Set(columns.filter((name) => name !== null))
  const rowOf = (text: Buffer): IngestRow | null => {
    if (text.length > mostRowBytes) throw tooLongRow(line + 1, 'line break')
    line += 1
    const place = { line, end, endLine: line }
    if (!isUtf8(text))
      return { ...place, fault: isErasedText(text) ? erasedRow : 'The line is not valid UTF-8.' }
    const fault = largeJsonFault(text)
    if (fault !== null) return { ...place, fault }
    const trimmed = text
      .toString()
      .replace(/^\ufeff/, '')
      .trim()
    return trimmed === '' ? null : { ...place, ...contentOf(trimmed, known) }
  }
  for await (const chunk of bytes) {
    let from = 0
    for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, from)) {
      const part = Buffer.from(chunk.buffer, chunk.byteOffset + from, at - from)
      const text = rest.length === 0 ? part : Buffer.concat([rest, part])
      rest = Buffer.alloc(0)
      end += text.length + 1
      from = at + 1
      const row = rowOf(text)
      if (row === null) requireBlankBytes(end - last.end, last.line + 1)
      else {
        last = { end, line }
        yield row
      }
    }
    if (from < chunk.length) rest = Buffer.concat([rest, chunk.subarray(from)])
    if (rest.length > mostRowBytes) throw tooLongRow(line + 1, 'line break')
  }
  if (rest.length === 0) return
  end += rest.length
  const row = rowOf(rest)
  if (row !== null) yield row
}

function contentOf(
  text: string,
  known: ReadonlySet<string>,
): { members: Record<string, unknown> } | { fault: string } {
  const [flaw] = scanJson(text, 1)
  if (flaw !== undefined) return { fault: jsonTextIssueMessage(flaw, null) }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return { fault: `The line is not valid JSON: ${(error as Error).message}.` }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { fault: 'The line is not a JSON object.' }
  const members = value as Record<string, unknown>
  const unknown = Object.keys(members).find((name) => !known.has(name))
  if (unknown === undefined) return { members }
  return { fault: `"${unknown}" is not one of the columns.${didYouMean(unknown, [...known])}` }
}

/** @throws AlmanacError `ingest.columns` */
export function requireColumns(columns: readonly IngestColumn[] | null): readonly IngestColumn[] {
  if (columns?.every((name) => name !== null)) return columns
  throw new AlmanacError(
    'ingest.columns',
    'A job with "format": "jsonl" needs "columns": the members of its rows.',
  )
}
