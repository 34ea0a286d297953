// A user's edits of a row of a sheet, and the drafts that store them.
import type { BatchedDraft, DraftEdit } from '../../../api/sheet.ts'
import type { ComponentId, DraftRow, JsonObject } from '../../../api/wire.ts'
import { readLoosely } from '../../../text/minimal-edit.ts'
import { isObject } from '../../../widgets/widget.ts'
import { sameValue, type CellValue } from './columns.ts'

/** The values by their place in the entry. */
export type Cells = Readonly<Record<string, CellValue>>

export type RowEdit =
  /** An edit over the active row: only the values that differ from it. */
  | { readonly kind: 'changed'; readonly cells: Cells }
  /** A row that is only a draft: all its values. */
  | { readonly kind: 'added'; readonly slug: string; readonly cells: Cells }
  | { readonly kind: 'removed' }
  /** A draft whose text is not an entry yet. Its cells cannot be written; its text is kept unchanged. */
  | { readonly kind: 'unread'; readonly slug: string; readonly text: string }

/** Reads the value of the active row at a place; null if the row is only a draft. */
export type ActiveValue = ((place: string) => CellValue) | null

/** The server's state of a row. */
export interface SavedRow {
  slug: string
  /** 0 without a draft. */
  version: number
  edit: RowEdit | undefined
}

/** Returns a draft as an edit of its row; `places` are those that the sheet shows. */
export function editOfDraft(
  { text }: Pick<DraftRow, 'text'>,
  slug: string,
  active: ActiveValue,
  places: readonly string[],
): RowEdit {
  if (text === null) return { kind: 'removed' }
  const { value, faults } = readLoosely(text)
  if (faults.length > 0 || !isObject(value) || !isObject(value.body)) return { kind: 'unread', slug, text }
  const entries = places.map((place) => [place, valueAt(value, place.split('/'))] as const)
  if (active === null) return { kind: 'added', slug, cells: Object.fromEntries(entries) }
  const differing = entries.filter(([place, cell]) => !sameValue(cell, active(place)))
  return { kind: 'changed', cells: Object.fromEntries(differing) }
}

/** Whether a draft matches an edit; the default label of a new row without one is not a difference. */
export function saysSame(
  draft: Pick<DraftRow, 'text'>,
  target: RowEdit,
  slug: string,
  active: ActiveValue,
  places: readonly string[],
): boolean {
  const draftEdit = editOfDraft(draft, slug, active, places)
  switch (target.kind) {
    case 'removed':
      return draftEdit.kind === 'removed'
    case 'unread':
      return draft.text === target.text
    case 'changed':
    case 'added': {
      if (draftEdit.kind !== target.kind) return false
      const unlabelled = target.kind === 'added' && (target.cells.label ?? '') === ''
      return editsOf(draftEdit.cells, target.cells, active).every(
        ({ path }) => unlabelled && path[0] === 'label',
      )
    }
  }
}

/** Returns the edit with one more value written; undefined if the row equals the active one again. */
export function withCell(
  edit: RowEdit | undefined,
  active: ActiveValue,
  place: string,
  value: CellValue,
): RowEdit | undefined {
  if (edit?.kind === 'added') return { ...edit, cells: { ...edit.cells, [place]: value } }
  if (edit?.kind === 'unread' || active === null) return edit
  const { [place]: _before, ...others } = edit?.kind === 'changed' ? edit.cells : {}
  const cells = sameValue(value, active(place)) ? others : { ...others, [place]: value }
  return Object.keys(cells).length === 0 ? undefined : { kind: 'changed', cells }
}

/** Returns the drafts that bring the server from its state to the wanted one. */
export function draftsOf(
  set: string,
  savedRow: SavedRow,
  target: RowEdit | undefined,
  active: ActiveValue,
): BatchedDraft[] {
  const { slug, version, edit } = savedRow
  const at = { id: idOf(set, slug), version }
  if (target === undefined) return withdrawn(at, edit, active)
  switch (target.kind) {
    case 'removed':
      return [{ ...at, text: null }]
    case 'unread':
      return [{ ...at, text: target.text }]
    case 'changed':
      return [{ ...at, edits: editsOf(edit?.kind === 'changed' ? edit.cells : {}, target.cells, active) }]
    case 'added': {
      if (edit?.kind === 'added' && edit.slug === target.slug)
        return [{ ...at, edits: editsOf(edit.cells, target.cells, null) }]
      const fresh = { id: idOf(set, target.slug), version: target.slug === slug ? version : 0 }
      const made: BatchedDraft = { ...fresh, text: addedText(set, target.slug, target.cells) }
      return version === 0 || target.slug === slug ? [made] : [{ ...at, drop: true }, made]
    }
  }
}

function withdrawn(
  at: { id: ComponentId; version: number },
  edit: RowEdit | undefined,
  active: ActiveValue,
): BatchedDraft[] {
  if (at.version === 0) return []
  // The parts of the draft outside the sheet's places are kept.
  if (edit?.kind === 'changed' && Object.keys(edit.cells).length > 0)
    return [{ ...at, edits: editsOf(edit.cells, {}, active) }]
  return [{ ...at, drop: true }]
}

/** Returns the edits from some values to others; a place that neither names has its active value. */
function editsOf(before: Cells, after: Cells, active: ActiveValue): DraftEdit[] {
  const places = new Set([...Object.keys(before), ...Object.keys(after)])
  const valueOf = (cells: Cells, place: string): CellValue =>
    Object.hasOwn(cells, place) ? cells[place] : active?.(place)
  return [...places].flatMap((place) => {
    const value = valueOf(after, place)
    if (sameValue(value, valueOf(before, place))) return []
    const path = place.split('/')
    return [value === undefined ? { path } : { path, value }]
  })
}

/** Returns the text of a new entry, formatted like its file: sorted keys, two spaces. */
function addedText(set: string, slug: string, cells: Cells): string {
  const envelope: JsonObject = {
    body: { set, values: {} },
    key: `${set}.${slug}`,
    label: '',
    type: 'config_entry',
  }
  for (const [place, value] of Object.entries(cells))
    if (value !== undefined) put(envelope, place.split('/'), value)
  if (envelope.label === '') envelope.label = labelFor(set, cells)
  return `${JSON.stringify(sortedParts(envelope), null, 2)}\n`
}

/** The default label of an entry: its key and first day. */
function labelFor(set: string, cells: Cells): string {
  const parts = [cells['body/key'] ?? set, cells['body/effectiveFrom']]
  return parts.filter((part) => typeof part === 'string').join(' from ')
}

function put(
  holder: JsonObject,
  [name = '', ...rest]: readonly string[],
  value: Exclude<CellValue, undefined>,
): void {
  if (rest.length === 0) holder[name] = value
  else put((holder[name] ??= {}) as JsonObject, rest, value)
}

function sortedParts(value: JsonObject): JsonObject {
  const parts = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(parts.map(([name, part]) => [name, isObject(part) ? sortedParts(part) : part]))
}

function valueAt(holder: unknown, path: readonly string[]): CellValue {
  const value = path.reduce<unknown>(
    (part, name) => (isObject(part) && Object.hasOwn(part, name) ? part[name] : undefined),
    holder,
  )
  return value as CellValue
}

export function idOf(set: string, slug: string): ComponentId {
  return `config_entry/${set}.${slug}`
}
