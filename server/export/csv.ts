// Writes a set as CSV that import can read back: exact texts, and none that a spreadsheet would compute.
import type { ComponentOf } from '#kernel/components/body-types.ts'
import { csvLine, guardText, type SetCell, type SetTable } from '#kernel/export/index.ts'
import { encodeChunks } from './chunks.ts'

export function csvOf(
  table: SetTable,
  entries: Iterable<ComponentOf<'config_entry'>>,
): AsyncIterable<Uint8Array> {
  return encodeChunks(linesOf(table, entries))
}

function* linesOf(
  { columns, cells }: SetTable,
  entries: Iterable<ComponentOf<'config_entry'>>,
): Iterable<string> {
  yield csvLine(columns.map(({ name }) => name))
  for (const entry of entries)
    yield csvLine(
      cells(entry).map((cell, at) => (columns[at]!.kind === 'text' ? guardText(textOf(cell)) : textOf(cell))),
    )
}

function textOf(cell: SetCell): string {
  return cell === null ? '' : String(cell)
}
