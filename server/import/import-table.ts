// Converts a table to a change list: what the map creates, and an entry for each key and row.
import { componentDigest, nobleSha256, OverlayView, type CandidateComponent } from '#kernel/change/index.ts'
import type { Digest } from '#kernel/change/digest.ts'
import type { Component, ComponentOf } from '#kernel/components/body-types.ts'
import type { ComponentId } from '#kernel/components/component.ts'
import { parseComponent } from '#kernel/components/parse.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { Finding } from '#kernel/errors/finding.ts'
import { didYouMean } from '#kernel/errors/suggest.ts'
import { implausibleFindings, importRows, type ImportMap, type ImportedEntry } from '#kernel/import/index.ts'
import type { ImportFacts } from '#wire/tables.ts'
import type { ImportHistory } from './import-history.ts'
import type { ImportedRow, ImportRecord } from './import-record.ts'
import type { LoadedTable } from './read-table.ts'

export interface ImportRequest {
  set: string
  table: LoadedTable
  map: ImportMap
  history: ImportHistory
  /** Import every row, including unchanged ones. */
  again: boolean
}

export interface ImportResult {
  components: CandidateComponent[]
  removals: ComponentId[]
  /** Those that equal existing drafts: they are checked with the rest, and stay as typed. */
  existingDrafts: ReadonlySet<ComponentId>
  /** Findings about the map's components and about bad rows. */
  findings: Finding[]
  /** The record of the import, to be stored once the components are saved. */
  record: ImportRecord
  facts: ImportFacts
}

/** Pure. @throws AlmanacError import.invalid */
export function importTable(request: ImportRequest, base: ComponentView): ImportResult {
  const { map, table } = request
  const view = new OverlayView(base)
  const { rows, definition } = request.history
  if (definition !== null) view.put(definition.component)
  const created = parseCreated(map, view)
  for (const { component } of created.components) view.put(component)
  const set = view.get('config_set', request.set)
  if (set === undefined)
    throw new AlmanacError(
      'import.invalid',
      `The set "${request.set}" does not exist.${didYouMean(request.set, base.keys('config_set'))} Create it first, or define it under "create" in the map.`,
      { details: created.findings },
    )
  const { entries, findings, keys, skipped, refused } = importRows(
    table,
    map,
    set,
    view,
    (place) => rows[place]?.entry,
  )
  const judged = new RowClassifier(request, base).classify(entries)
  return {
    components: [...(definition === null ? [] : [definition]), ...created.components, ...judged.components],
    removals: judged.removals,
    existingDrafts: definition === null ? judged.standing : judged.standing.add(`config_set/${request.set}`),
    findings: [...created.findings, ...findings, ...implausibleFindings(set, entries, base)],
    record: judged.record,
    facts: {
      rows: table.rows.length,
      keys,
      entries: entries.length,
      skipped,
      refused,
      keptAsEdited: judged.keptAsEdited,
      encoding: table.encoding,
      delimiter: table.delimiter,
    },
  }
}

/** An unchanged row leaves its entry in its current state: repaired, edited, renamed, removed. */
class RowClassifier {
  readonly components: CandidateComponent[] = []
  readonly removals: ComponentId[] = []
  readonly standing = new Set<ComponentId>()
  readonly record: Record<string, ImportedRow> = {}
  keptAsEdited = 0
  readonly #request: ImportRequest
  readonly #base: ComponentView

  constructor(request: ImportRequest, base: ComponentView) {
    this.#request = request
    this.#base = base
  }

  classify(entries: readonly ImportedEntry[]): this {
    const { history, again } = this.#request
    for (const { rowKey, entry } of entries) {
      const digest = rowDigest(entry)
      const known = history.rows[rowKey]
      const same = known?.digest === digest && !again
      this.record[rowKey] = same ? known : { entry: entry.key, digest, since: history.generation }
      if (same) this.#unchanged(known, entry)
      else this.components.push({ component: entry, hints: {} })
    }
    return this
  }

  #unchanged({ entry: key, since, dropped }: ImportedRow, entry: Component): void {
    const { history } = this.#request
    const draft = history.draftOf(key)
    const here = this.#base.get('config_entry', key)
    if (draft !== undefined) this.#drafted(`config_entry/${key}`, draft, entry)
    else if (here === undefined ? dropped === true || history.wasRemoved(key, since) : !isSame(here, entry))
      this.keptAsEdited += 1
    else this.components.push({ component: entry, hints: {} })
  }

  #drafted(id: ComponentId, draft: CandidateComponent | null, entry: Component): void {
    this.standing.add(id)
    if (draft !== null) this.components.push(draft)
    else if (this.#base.has('config_entry', entry.key)) this.removals.push(id)
    if (draft === null || !isSame(draft.component, entry)) this.keptAsEdited += 1
  }
}

function parseCreated(
  map: ImportMap,
  base: ComponentView,
): { components: CandidateComponent[]; findings: Finding[] } {
  const parsed = map.create.map((json, index) => parseComponent(json, `create/${index}`))
  const components = parsed.flatMap(({ component, hints }) =>
    component === null || base.has(component.type, component.key) ? [] : [{ component, hints }],
  )
  return { components, findings: parsed.flatMap(({ findings }) => findings) }
}

/** Digest of the row's content, without the name of its set and without the place to which its entry has moved. */
function rowDigest(entry: ComponentOf<'config_entry'>): Digest {
  const body = { ...entry.body, set: 'row' }
  return componentDigest({ ...entry, key: 'row.row', body } as Component, nobleSha256)
}

function isSame(one: Component, other: Component): boolean {
  return componentDigest(one, nobleSha256) === componentDigest(other, nobleSha256)
}
