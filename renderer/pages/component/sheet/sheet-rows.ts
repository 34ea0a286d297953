// The rows of one set in a sheet: the active rows and the drafts over them.
import { BaseRows } from './base-rows.ts'
import { sameValue, type CellValue } from './columns.ts'
import type { ActiveValue, Cells, RowEdit } from './row-edit.ts'

/** A row: an active one by its place in the base, 0 and up; one that is only a draft below 0. */
export type RowId = number

export class SheetRows {
  readonly set: string
  /** The places of all writable columns, each once. */
  readonly places: readonly string[]
  base = BaseRows.none
  readonly #edits = new Map<string, RowEdit>()
  /** Names of rows that are only drafts, by id. Never reused, so a step finds its rows. */
  readonly #added: string[] = []
  readonly #addedIds = new Map<string, RowId>()
  /** Rows that are only drafts, by their slug. */
  readonly #slugs = new Map<string, string>()
  /** Names of rows whose edit sets their business key, by that key. */
  readonly #namesByKey = new Map<string, Set<string>>()

  constructor(set: string, places: readonly string[]) {
    this.set = set
    this.places = places.filter((place) => place !== 'key')
  }

  hasPlaces(places: readonly string[]): boolean {
    const written = places.filter((place) => place !== 'key')
    return written.length === this.places.length && written.every((place, at) => place === this.places[at])
  }

  nameOf(row: RowId): string {
    return row >= 0 ? this.base.slugs[row]! : this.#added[-row - 1]!
  }

  rowNamed(name: string): RowId | undefined {
    return this.base.rowOf(name) ?? this.#addedIds.get(name)
  }

  slugOf(row: RowId): string {
    const edit = this.editOf(row)
    return edit?.kind === 'added' || edit?.kind === 'unread' ? edit.slug : this.nameOf(row)
  }

  editOf(row: RowId): RowEdit | undefined {
    return this.#edits.get(this.nameOf(row))
  }

  /** Reads the active value at a place; null for a row that is only a draft. */
  activeOf(row: RowId): ActiveValue {
    return row >= 0 ? (place) => this.base.value(row, place) : null
  }

  value(row: RowId, place: string): CellValue {
    if (place === 'key') return `${this.set}.${this.slugOf(row)}`
    return cellOf(this.editOf(row), this.activeOf(row), place)
  }

  /** Whether the cell differs from the active row. */
  isEdited(row: RowId, place: string): boolean {
    const edit = this.editOf(row)
    return edit?.kind === 'changed' && Object.hasOwn(edit.cells, place)
  }

  /** Whether its cells can be written: it is neither removed nor unreadable. */
  isOpen(row: RowId): boolean {
    const kind = this.editOf(row)?.kind
    return kind !== 'removed' && kind !== 'unread'
  }

  /** Every row of a business key, including drafts; all rows if `key` is null. */
  rowsOfKey(key: string | null): RowId[] {
    if (key === null) return [...this.base.all(), ...this.addedRows()]
    const active = [...this.base.rowsOfKey(key)].filter((row) => this.value(row, 'body/key') === key)
    return [...new Set([...active, ...this.#rowsMovedTo(key)])]
  }

  /** Rows whose edit gives them this key: active ones, then those that are only drafts, oldest first. */
  #rowsMovedTo(key: string): RowId[] {
    const active: RowId[] = []
    const added: RowId[] = []
    for (const name of this.#namesByKey.get(key) ?? []) {
      const row = this.base.rowOf(name)
      const isAdded = this.#edits.get(name)?.kind === 'added'
      if (!isAdded && row !== undefined) active.push(row)
      if (isAdded && row === undefined) added.push(this.#addedIds.get(name)!)
    }
    return [...active, ...added.sort((a, b) => b - a)]
  }

  /** The id of the next row that is added; those after it count down. */
  get nextId(): RowId {
    return -this.#added.length - 1
  }

  /** Rows that are only drafts and still exist, oldest first. */
  addedRows(): RowId[] {
    return this.#added.flatMap((name, at) => {
      const edit = this.#edits.get(name)
      return (edit?.kind === 'added' || edit?.kind === 'unread') && this.base.rowOf(name) === undefined
        ? [-at - 1]
        : []
    })
  }

  get edited(): ReadonlyMap<string, RowEdit> {
    return this.#edits
  }

  /** All cells of a row, for a copy of it. */
  cellsOf(row: RowId): Cells {
    return Object.fromEntries(
      this.places.flatMap((place) => {
        const value = this.value(row, place)
        return place === 'label' || value === undefined ? [] : [[place, value]]
      }),
    )
  }

  // ---- rows of the sheet ----

  /** Reads the active values of a row by name; null if it is only a draft. */
  activeByName(name: string): ActiveValue {
    const row = this.base.rowOf(name)
    return row === undefined ? null : this.activeOf(row)
  }

  /** The row that is only a draft and has this slug. */
  addedNameBySlug(slug: string): string | undefined {
    return this.#slugs.get(slug)
  }

  put(name: string, edit: RowEdit | undefined): void {
    const before = this.#edits.get(name)
    const [oldKey, newKey] = [keyOfEdit(before), keyOfEdit(edit)]
    if (oldKey !== newKey) this.#move(name, oldKey, newKey)
    if (before?.kind === 'added' && this.#slugs.get(before.slug) === name) this.#slugs.delete(before.slug)
    if (edit === undefined) this.#edits.delete(name)
    else this.#edits.set(name, edit)
    if (edit?.kind === 'added') this.#slugs.set(edit.slug, name)
  }

  #move(name: string, oldKey: string | null, newKey: string | null): void {
    if (oldKey !== null) {
      const names = this.#namesByKey.get(oldKey)
      names?.delete(name)
      if (names?.size === 0) this.#namesByKey.delete(oldKey)
    }
    if (newKey !== null) {
      const names = this.#namesByKey.get(newKey)
      if (names === undefined) this.#namesByKey.set(newKey, new Set([name]))
      else names.add(name)
    }
  }

  newRow(name: string): RowId {
    this.#added.push(name)
    const id = -this.#added.length
    this.#addedIds.set(name, id)
    return id
  }

  /** A name that no row has; a restored window has rows with earlier names. */
  freeName(): string {
    let at = this.#added.length + 1
    while (this.#addedIds.has(`+${at}`)) at += 1
    return `+${at}`
  }

  /** Whether a row is the same in another generation; its label is read separately. */
  isSameIn(other: BaseRows, name: string): boolean {
    const [ownRow, otherRow] = [this.base.rowOf(name), other.rowOf(name)]
    if (ownRow === undefined || otherRow === undefined) return ownRow === otherRow
    return this.places.every(
      (place) => place === 'label' || sameValue(this.base.value(ownRow, place), other.value(otherRow, place)),
    )
  }
}

/** The business key that an edit sets; null if it sets none. */
function keyOfEdit(edit: RowEdit | undefined): string | null {
  const key = edit?.kind === 'added' || edit?.kind === 'changed' ? edit.cells['body/key'] : null
  return typeof key === 'string' ? key : null
}

/** The value of a cell with an edit of its row. */
export function cellOf(edit: RowEdit | undefined, active: ActiveValue, place: string): CellValue {
  if (edit?.kind === 'added' || (edit?.kind === 'changed' && Object.hasOwn(edit.cells, place)))
    return edit.cells[place]
  return active?.(place)
}
