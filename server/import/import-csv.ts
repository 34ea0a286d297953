// A CSV file as a change list: what the map creates, and an entry a key and row (completions 7: import).
import { componentDigest, nobleSha256, OverlayView, type CandidateComponent } from '#kernel/change/index.ts'
import type { Component } from '#kernel/components/body-types.ts'
import { idOf } from '#kernel/components/component.ts'
import { parseComponent } from '#kernel/components/parse.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { Finding } from '#kernel/errors/finding.ts'
import { didYouMean } from '#kernel/errors/suggest.ts'
import { importRows, type ImportMap } from '#kernel/import/index.ts'
import type { ImportRecord } from './import-record.ts'
import { readTable } from './read-table.ts'

export interface ImportRequest {
  set: string
  bytes: Uint8Array
  /** The file's name, for messages. */
  name: string
  map: ImportMap
  /** What the last import of this set gave; null takes every row. */
  last: ImportRecord | null
}

export interface Imported {
  components: CandidateComponent[]
  /** Of the map's components and of bad rows. */
  findings: Finding[]
  /** To be remembered once the components are kept. */
  record: ImportRecord
  facts: ImportFacts
}

export interface ImportFacts {
  rows: number
  keys: number
  entries: number
  /** Rows left out by the map. */
  skipped: number
  /** Entries that the file gives as at the last import, while the org has them otherwise: they are left alone. */
  keptAsEdited: number
  encoding: string
  delimiter: string
}

/** Pure but for the decoding. @throws AlmanacError import.invalid */
export function importCsv(request: ImportRequest, base: ComponentView): Imported {
  const { map, name } = request
  const table = readTable(request.bytes, name, map)
  const view = new OverlayView(base)
  const created = createdBy(map, base)
  for (const { component } of created.components) view.put(component)
  const set = view.get('config_set', request.set)
  if (set === undefined)
    throw new AlmanacError(
      'import.invalid',
      `There is no set "${request.set}".${didYouMean(request.set, base.keys('config_set'))} Create it first, or define it under "create" in the map.`,
      { details: created.findings },
    )
  const { entries, findings, keys, skipped } = importRows(table, map, set, view)
  const record = recordOf(entries)
  const taken = entries.filter((entry) => !isEdited(entry, record, request.last, base))
  return {
    components: [...created.components, ...taken.map((component) => ({ component, hints: {} }))],
    findings: [...created.findings, ...findings],
    record,
    facts: {
      rows: table.rows.length,
      keys,
      entries: entries.length,
      skipped,
      keptAsEdited: entries.length - taken.length,
      encoding: table.encoding,
      delimiter: table.delimiter,
    },
  }
}

function createdBy(
  map: ImportMap,
  base: ComponentView,
): { components: CandidateComponent[]; findings: Finding[] } {
  const parsed = map.create.map((json, index) => parseComponent(json, `create/${index}`))
  const components = parsed.flatMap(({ component, hints }) =>
    component === null || base.has(component.type, component.key) ? [] : [{ component, hints }],
  )
  return { components, findings: parsed.flatMap(({ findings }) => findings) }
}

function recordOf(entries: readonly Component[]): Record<string, string> {
  return Object.fromEntries(entries.map((entry) => [idOf(entry), componentDigest(entry, nobleSha256)]))
}

/** The file says what it said last time, and somebody has decided otherwise since: a repair, or an edit. */
function isEdited(
  entry: Component,
  record: ImportRecord,
  last: ImportRecord | null,
  base: ComponentView,
): boolean {
  const id = idOf(entry)
  const before = last?.[id]
  if (before === `dropped ${record[id]}`) return true
  const here = base.get('config_entry', entry.key)
  return here !== undefined && before === record[id] && componentDigest(here, nobleSha256) !== before
}
