// Writes a set as a JSON array, one row per line; numbers as exact texts.
import type { ComponentOf } from '#kernel/components/body-types.ts'
import type { SetTable } from '#kernel/export/index.ts'
import { encodeChunks } from './chunks.ts'

export function jsonOf(
  table: SetTable,
  entries: Iterable<ComponentOf<'config_entry'>>,
): AsyncIterable<Uint8Array> {
  return encodeChunks(linesOf(table, entries))
}

function* linesOf(
  { columns, cells }: SetTable,
  entries: Iterable<ComponentOf<'config_entry'>>,
): Iterable<string> {
  let before = '['
  for (const entry of entries) {
    const row = cells(entry)
    yield `${before}\n${JSON.stringify(Object.fromEntries(columns.map(({ name }, at) => [name, row[at]!])))}`
    before = ','
  }
  yield before === '[' ? '[]\n' : '\n]\n'
}
