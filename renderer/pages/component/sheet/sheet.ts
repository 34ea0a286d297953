// The rows of one set as a user edits them, in steps that can be undone.
import type { BaseRows } from './base-rows.ts'
import { sameValue, type CellValue } from './columns.ts'
import { isOwnSlug, namesRow, slugFor } from './entry-slug.ts'
import { RowSyncState, type UnsavedRow } from './row-sync-state.ts'
import { withCell, type Cells, type RowEdit } from './row-edit.ts'
import { cellOf, SheetRows, type RowId } from './sheet-rows.ts'
import { UndoStack, type Step } from './undo-stack.ts'

/** One write to a cell of a row, by the place of its value in the entry. */
export interface CellWrite {
  row: RowId
  place: string
  value: CellValue
}

/** The changes of one step. */
export interface SheetChange {
  writes?: readonly CellWrite[]
  added?: readonly Cells[]
  removed?: readonly RowId[]
}

export interface SheetChangeResult {
  /** How many cells changed. */
  cells: number
  /** Ids of the added rows, in their order. */
  added: RowId[]
}

type AddedRow = Extract<RowEdit, { kind: 'added' }>

export class Sheet extends SheetRows {
  readonly undoStack = new UndoStack<RowEdit>()
  readonly syncState: RowSyncState
  readonly #changed: () => void

  constructor(set: string, places: readonly string[], changed: () => void = () => undefined) {
    super(set, places)
    this.syncState = new RowSyncState(this, this.undoStack)
    this.#changed = changed
  }

  /** Writes cells as one step. Returns how many changed. */
  write(label: string, writes: readonly CellWrite[]): number {
    return this.change(label, { writes }).cells
  }

  /** Adds rows with these cells as one step. Returns their ids. */
  add(label: string, added: readonly Cells[]): RowId[] {
    return this.change(label, { added }).added
  }

  /** Drafts the removal of rows; a row that is only a draft is removed immediately. */
  remove(label: string, removed: readonly RowId[]): void {
    this.change(label, { removed })
  }

  /** Makes several changes as one step. Changes that a row cannot take are omitted. */
  change(label: string, { writes = [], added = [], removed = [] }: SheetChange): SheetChangeResult {
    const next = new Map<string, RowEdit | undefined>()
    const newSlugs = new Set<string>()
    let cells = 0
    for (const { row, place, value } of writes) {
      const name = this.nameOf(row)
      const before = next.has(name) ? next.get(name) : this.edited.get(name)
      if (before?.kind === 'removed' || before?.kind === 'unread' || place === 'key') continue
      const after = withCell(before, this.activeOf(row), place, value)
      if (sameValue(cellOf(before, this.activeOf(row), place), value)) continue
      cells += 1
      const named =
        after?.kind === 'added' && namesRow(place) ? this.#renamed(before, after, newSlugs) : after
      if (named?.kind === 'added') newSlugs.add(named.slug)
      next.set(name, named)
    }
    for (const row of removed) next.set(this.nameOf(row), row >= 0 ? { kind: 'removed' } : undefined)
    const ids = added.map((fresh) => {
      const slug = slugFor(fresh, (each) => newSlugs.has(each) || this.#isTaken(each))
      newSlugs.add(slug)
      const id = this.newRow(this.freeName())
      next.set(this.nameOf(id), { kind: 'added', slug, cells: fresh })
      return id
    })
    this.step(label, next)
    return { cells, added: ids }
  }

  /** Discards the drafts of rows with all their content, so the rows are as in the active generation. */
  discard(label: string, rows: readonly RowId[]): void {
    for (const row of rows) this.syncState.drop(this.nameOf(row))
    this.step(label, new Map(rows.map((row) => [this.nameOf(row), undefined])))
  }

  /** Writes the edits of rows, and records the step so it can be undone. */
  step(label: string, next: ReadonlyMap<string, RowEdit | undefined>): void {
    const changes = new Map<string, { before: RowEdit | undefined; after: RowEdit | undefined }>()
    for (const [name, after] of next) {
      const before = this.edited.get(name)
      if (before !== after) changes.set(name, { before, after })
    }
    if (changes.size === 0) return
    this.undoStack.push({ label, changes })
    for (const [name, { after }] of changes) this.syncState.setWantedEdit(name, after)
    this.#changed()
  }

  undo(): Step<RowEdit> | null {
    const step = this.undoStack.undo()
    for (const [name, { before }] of step?.changes ?? []) this.syncState.setWantedEdit(name, before)
    if (step !== null) this.#changed()
    return step
  }

  redo(): Step<RowEdit> | null {
    const step = this.undoStack.redo()
    for (const [name, { after }] of step?.changes ?? []) this.syncState.setWantedEdit(name, after)
    if (step !== null) this.#changed()
    return step
  }

  // ---- state of the server ----

  /**
   * Puts the rows of another generation under the drafts; `takeDrafts` follows immediately. Steps over rows that
   * changed are dropped.
   */
  rebase(base: BaseRows): void {
    const before = this.base
    const touched = new Set([...this.edited.keys(), ...this.undoStack.rows()])
    const moved = new Set([...touched].filter((name) => !this.isSameIn(base, name)))
    const orphans = [...this.syncState.dirty].filter(
      (name) => this.edited.get(name)?.kind === 'changed' && base.rowOf(name) === undefined,
    )
    const whole = orphans.map((name) => this.cellsOf(before.rowOf(name)!))
    this.base = base
    this.undoStack.forget(moved)
    // Drafts are read again over the rows that are now under them.
    this.syncState.forget(moved)
    for (const [at, name] of orphans.entries()) {
      this.newRow(name)
      this.put(name, { kind: 'added', slug: name, cells: whole[at]! })
    }
  }

  /** Adds the loaded labels; `takeDrafts` follows immediately, because a draft can have a different one. */
  label(slugs: readonly string[], labels: readonly string[]): void {
    this.base.label(slugs, labels)
    this.syncState.forget()
  }

  /** Restores rows that were not saved before the window closed; the server's drafts are taken over afterwards. */
  restore(left: readonly UnsavedRow[]): void {
    this.syncState.restore(left)
    if (left.length > 0) this.#changed()
  }

  /** Updates a name that the sheet made from a row's key, scope or first day; `newSlugs` are the slugs of this step. */
  #renamed(before: RowEdit | undefined, after: AddedRow, newSlugs: ReadonlySet<string>): RowEdit {
    if (before?.kind !== 'added' || !isOwnSlug(before.slug, before.cells)) return after
    const isFree = (slug: string): boolean =>
      slug === after.slug || !(newSlugs.has(slug) || this.#isTaken(slug))
    return { ...after, slug: slugFor(after.cells, (slug) => !isFree(slug)) }
  }

  #isTaken(slug: string): boolean {
    return (
      this.base.rowOf(slug) !== undefined ||
      this.addedNameBySlug(slug) !== undefined ||
      this.syncState.hasSlug(slug)
    )
  }
}
