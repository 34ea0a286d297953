// The rows of one set as a person sees and changes them: what is active, what is drafted over it, what was done.
import type { BatchedDraft } from '../../../api/sheet.ts'
import type { DraftRow } from '../../../api/wire.ts'
import { BaseRows } from './base-rows.ts'
import { sameValue, type CellValue } from './columns.ts'
import { isOwnSlug, namesRow, slugFor } from './entry-slug.ts'
import {
  draftsOf,
  editOfDraft,
  idOf,
  saysSame,
  withCell,
  type ActiveValue,
  type Cells,
  type KeptRow,
  type RowEdit,
} from './row-edit.ts'
import { UndoStack, type Step } from './undo-stack.ts'

/** A row: an active one by its place in the base, 0 and up; one that is only a draft below 0. */
export type RowId = number

/** A cell of a row is written by the place of its value in the entry. */
export interface CellWrite {
  row: RowId
  place: string
  value: CellValue
}

/** What one step does. */
export interface SheetChange {
  writes?: readonly CellWrite[]
  added?: readonly Cells[]
  removed?: readonly RowId[]
}

export interface SheetChanged {
  /** How many cells now say something else. */
  cells: number
  /** Ids of the rows that were added, in their order. */
  added: RowId[]
}

type AddedRow = Extract<RowEdit, { kind: 'added' }>

/** What is to be sent of a row, and what the server then holds of it. */
interface PendingRow {
  drafts: BatchedDraft[]
  wanted: RowEdit | undefined
}

/** A row that is not kept yet, as it outlives the window. */
export interface LeftRow {
  name: string
  edit: RowEdit | null
  /** What the server held of it when it was last heard. */
  kept?: KeptRow
  /** What was sent of it before, where no answer has come. */
  sent?: readonly (RowEdit | null)[]
  /** Its draft goes whole first. */
  dropped?: true
}

export class Sheet {
  readonly set: string
  /** Places of all columns that are written, each once. */
  readonly places: readonly string[]
  base = BaseRows.none
  readonly undoing = new UndoStack<RowEdit>()
  readonly #edits = new Map<string, RowEdit>()
  /** What the server holds, by row name. A row without a draft is not in it. */
  readonly #kept = new Map<string, KeptRow>()
  /** Names of rows that are only drafts, by their id. Never reused, so that a step finds its rows. */
  readonly #added: string[] = []
  readonly #addedIds = new Map<string, RowId>()
  /** Rows whose draft goes whole before anything else is kept of them. */
  readonly #dropped = new Set<string>()
  /** Rows whose edit is not what the server holds. */
  readonly #dirty = new Set<string>()
  /** What was sent of a row, each time anew, until an answer says what became of it; null withdraws its draft. */
  readonly #sent = new Map<string, readonly (RowEdit | null)[]>()
  /** Rows by the slug that they have, or that the server has for them. */
  readonly #slugs = new Map<string, string>()
  readonly #keptSlugs = new Map<string, string>()
  readonly #changed: () => void

  constructor(set: string, places: readonly string[], changed: () => void = () => undefined) {
    this.set = set
    this.places = places.filter((place) => place !== 'key')
    this.#changed = changed
  }

  hasPlaces(places: readonly string[]): boolean {
    const written = places.filter((place) => place !== 'key')
    return written.length === this.places.length && written.every((place, at) => place === this.places[at])
  }

  /** Whether something of the row is not kept yet. */
  isUnkept(slug: string): boolean {
    return this.#dirty.has(this.#nameFor(slug))
  }

  /** Whether the row is kept under this version; 0 where it has no draft. */
  isKept(slug: string, version: number): boolean {
    return this.versionOf(this.#nameFor(slug)) === version
  }

  /** Whether news that came while the row was being kept tell of somebody else: it is gone, or newer than kept here. */
  isOvertaken(slug: string, version: number): boolean {
    const kept = this.versionOf(this.#nameFor(slug))
    return version === 0 ? kept > 0 : version > kept
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

  /** What is active at a place; null of a row that is only a draft. */
  activeOf(row: RowId): ActiveValue {
    return row >= 0 ? (place) => this.base.value(row, place) : null
  }

  value(row: RowId, place: string): CellValue {
    if (place === 'key') return `${this.set}.${this.slugOf(row)}`
    return cellOf(this.editOf(row), this.activeOf(row), place)
  }

  /** Whether the cell says something else than the active row. */
  isEdited(row: RowId, place: string): boolean {
    const edit = this.editOf(row)
    return edit?.kind === 'changed' && Object.hasOwn(edit.cells, place)
  }

  /** Whether its cells can be written: it is neither removed nor unreadable. */
  isOpen(row: RowId): boolean {
    const kind = this.editOf(row)?.kind
    return kind !== 'removed' && kind !== 'unread'
  }

  /** Every row of a business key, drafts among them; all rows where `key` is null. */
  rowsOfKey(key: string | null): RowId[] {
    const rows: RowId[] = key === null ? [...this.base.all()] : [...this.base.rowsOfKey(key)]
    const isOf = (row: RowId): boolean => key === null || this.value(row, 'body/key') === key
    // A draft may move a row to another key.
    const moved = [...this.#edits].flatMap(([name, { kind }]) => {
      const row = this.base.rowOf(name)
      return kind !== 'changed' || row === undefined || !this.isEdited(row, 'body/key') ? [] : [row]
    })
    return [...new Set([...rows, ...moved, ...this.addedRows()])].filter(isOf)
  }

  /** The id of the next row that is added; those after it count down. */
  get nextId(): RowId {
    return -this.#added.length - 1
  }

  /** Rows that are only drafts and are there still, oldest first. */
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

  /** Writes cells as one step. Answers how many now say something else. */
  write(label: string, writes: readonly CellWrite[]): number {
    return this.change(label, { writes }).cells
  }

  /** Adds rows of these cells, as one step. Answers their ids. */
  add(label: string, added: readonly Cells[]): RowId[] {
    return this.change(label, { added }).added
  }

  /** Drafts the removal of rows; one that is only a draft goes. */
  remove(label: string, removed: readonly RowId[]): void {
    this.change(label, { removed })
  }

  /** Does several things as one step. What a row cannot take is left out. */
  change(label: string, { writes = [], added = [], removed = [] }: SheetChange): SheetChanged {
    const next = new Map<string, RowEdit | undefined>()
    const given = new Set<string>()
    let cells = 0
    for (const { row, place, value } of writes) {
      const name = this.nameOf(row)
      const before = next.has(name) ? next.get(name) : this.#edits.get(name)
      if (before?.kind === 'removed' || before?.kind === 'unread' || place === 'key') continue
      const after = withCell(before, this.activeOf(row), place, value)
      if (sameValue(cellOf(before, this.activeOf(row), place), value)) continue
      cells += 1
      const named = after?.kind === 'added' && namesRow(place) ? this.#renamed(before, after, given) : after
      if (named?.kind === 'added') given.add(named.slug)
      next.set(name, named)
    }
    for (const row of removed) next.set(this.nameOf(row), row >= 0 ? { kind: 'removed' } : undefined)
    const ids = added.map((fresh) => {
      const slug = slugFor(fresh, (each) => given.has(each) || this.#isTaken(each))
      given.add(slug)
      const id = this.#newRow(this.#freeName())
      next.set(this.nameOf(id), { kind: 'added', slug, cells: fresh })
      return id
    })
    this.step(label, next)
    return { cells, added: ids }
  }

  /** Takes the drafts of rows back, with whatever else they say: the rows stand as they are active. */
  discard(label: string, rows: readonly RowId[]): void {
    for (const row of rows) if (this.#kept.has(this.nameOf(row))) this.#dropped.add(this.nameOf(row))
    this.step(label, new Map(rows.map((row) => [this.nameOf(row), undefined])))
  }

  /** Writes the edits of rows, and keeps the step so that it can be taken back. */
  step(label: string, next: ReadonlyMap<string, RowEdit | undefined>): void {
    const changes = new Map<string, { before: RowEdit | undefined; after: RowEdit | undefined }>()
    for (const [name, after] of next) {
      const before = this.#edits.get(name)
      if (before !== after) changes.set(name, { before, after })
    }
    if (changes.size === 0) return
    this.undoing.push({ label, changes })
    for (const [name, { after }] of changes) this.#set(name, after)
    this.#changed()
  }

  undo(): Step<RowEdit> | null {
    const step = this.undoing.undo()
    for (const [name, { before }] of step?.changes ?? []) this.#set(name, before)
    if (step !== null) this.#changed()
    return step
  }

  redo(): Step<RowEdit> | null {
    const step = this.undoing.redo()
    for (const [name, { after }] of step?.changes ?? []) this.#set(name, after)
    if (step !== null) this.#changed()
    return step
  }

  // ---- what the server says ----

  /**
   * Lays the rows of another generation under what is drafted; `takeDrafts` follows at once. Steps over rows that moved
   * are forgotten.
   */
  rebase(base: BaseRows): void {
    const before = this.base
    const touched = new Set([...this.#edits.keys(), ...this.undoing.rows()])
    const moved = new Set([...touched].filter((name) => !this.#sameRow(before, base, name)))
    const orphans = [...this.#dirty].filter(
      (name) => this.#edits.get(name)?.kind === 'changed' && base.rowOf(name) === undefined,
    )
    const whole = orphans.map((name) => this.cellsOf(before.rowOf(name)!))
    this.base = base
    this.undoing.forget(moved)
    // Drafts are read anew over what now lies under them.
    for (const name of moved) if (!this.#dirty.has(name)) this.#keep(name, undefined)
    for (const [at, name] of orphans.entries()) {
      this.#newRow(name)
      this.#put(name, { kind: 'added', slug: name, cells: whole[at]! })
    }
  }

  /** Labels are there now; `takeDrafts` follows at once, because a draft may say another one. */
  label(slugs: readonly string[], labels: readonly string[]): void {
    this.base.label(slugs, labels)
    for (const name of [...this.#kept.keys()]) if (!this.#dirty.has(name)) this.#keep(name, undefined)
  }

  /** Takes the drafts as the server has them. What is dirty here stays, and is kept over those that are known here. */
  takeDrafts(drafts: readonly DraftRow[]): void {
    const prefix = `config_entry/${this.set}.`.length
    const seen = new Set<string>()
    const moved = new Set<string>()
    for (const draft of drafts) {
      const slug = draft.id.slice(prefix)
      const name = this.#nameFor(slug)
      seen.add(name)
      const known = this.#kept.get(name)
      if (known?.version === draft.version) continue
      if (this.#dirty.has(name)) {
        this.recognise(name, [draft])
        continue
      }
      if (known !== undefined) moved.add(name)
      this.#take(name, slug, draft)
    }
    for (const name of [...this.#edits.keys()])
      if (!seen.has(name) && !this.#dirty.has(name)) {
        moved.add(name)
        this.#keep(name, undefined)
        this.#put(name, undefined)
      }
    for (const name of [...this.#dirty])
      if (!seen.has(name) && this.versionOf(name) > 0) this.recognise(name, [])
    this.undoing.forget(moved)
  }

  #take(name: string, slug: string, draft: DraftRow): void {
    const active = this.#activeNamed(slug)
    if (active === null && !this.#addedIds.has(name)) this.#newRow(name)
    const edit = this.#editOf(draft, slug, active)
    this.#keep(name, { slug, version: draft.version, edit })
    this.#put(name, edit)
  }

  // ---- what is to be kept ----

  get dirty(): ReadonlySet<string> {
    return this.#dirty
  }

  /**
   * The drafts that bring the server to what is wanted of a row, or a step nearer to it. Null while another row still
   * holds the slug.
   */
  pending(name: string): PendingRow | null {
    const kept = this.#keptOf(name)
    const wanted = this.#edits.get(name)
    const holder = wanted?.kind === 'added' ? this.#keptSlugs.get(wanted.slug) : undefined
    const isHeld = holder !== undefined && holder !== name
    if (kept.version > 0 && (isHeld || this.#dropped.has(name)))
      return {
        drafts: [{ id: idOf(this.set, kept.slug), version: kept.version, drop: true }],
        wanted: undefined,
      }
    if (isHeld) return null
    const drafts = draftsOf(this.set, kept, wanted, this.#activeNamed(name))
    // A draft that would say what it says already is not sent.
    const says = drafts.some((draft) => !('edits' in draft) || draft.edits.length > 0)
    return { drafts: says ? drafts : [], wanted }
  }

  versionOf(name: string): number {
    return this.#keptOf(name).version
  }

  /** Notes that this is on its way to the server: if no answer comes, it may have arrived all the same. */
  sending(name: string, wanted: RowEdit | undefined): void {
    const before = this.#sent.get(name) ?? []
    if (before.at(-1) !== (wanted ?? null)) this.#sent.set(name, [...before, wanted ?? null])
  }

  /**
   * Takes what the server holds of a row as kept, where it is what is wanted here or what was sent from here without an
   * answer. Answers whether it is: otherwise somebody else wrote it. `drafts` are those of its slugs, version 0 where
   * there is none.
   */
  recognise(name: string, drafts: readonly DraftRow[]): boolean {
    const mine = [this.#edits.get(name) ?? null, ...(this.#sent.get(name) ?? [])]
    const there = drafts.find(({ version }) => version > 0)
    const held = mine.find((edit) =>
      there === undefined ? edit === null : edit !== null && this.#says(there, name, edit),
    )
    if (held !== undefined) this.settle(name, held ?? undefined, there?.version ?? 0)
    return held !== undefined
  }

  #says(there: DraftRow, name: string, edit: RowEdit): boolean {
    const slug = edit.kind === 'added' || edit.kind === 'unread' ? edit.slug : this.#keptOf(name).slug
    if (there.id !== idOf(this.set, slug)) return false
    const active = this.#activeNamed(name)
    return saysSame(there, edit, slug, active, this.#placesOver(active))
  }

  /** Notes that the server holds `wanted` of a row now, under this version. */
  settle(name: string, wanted: RowEdit | undefined, version: number): void {
    const slug = wanted?.kind === 'added' || wanted?.kind === 'unread' ? wanted.slug : this.#keptOf(name).slug
    const more = this.#edits.get(name) !== wanted
    this.#dropped.delete(name)
    this.#sent.delete(name)
    if (version === 0) {
      // Its values say what is active, written in another way.
      if (wanted !== undefined && !more) this.#put(name, undefined)
      this.#keep(name, undefined)
    } else {
      const edit = wanted ?? { kind: 'changed' as const, cells: {} }
      this.#keep(name, { slug, version, edit })
      if (wanted === undefined && !more) this.#put(name, edit)
    }
    if (!more) this.#dirty.delete(name)
  }

  /** Forgets what is wanted of a row: the server's draft, or none, stands. */
  yield(name: string, theirs: DraftRow | null): void {
    const { slug } = this.#keptOf(name)
    this.#dirty.delete(name)
    this.#sent.delete(name)
    this.#keep(name, undefined)
    this.undoing.forget(new Set([name]))
    if (theirs === null || theirs.version === 0) this.#put(name, undefined)
    else this.#take(name, slug, theirs)
  }

  /** What somebody else's draft of a row says. */
  theirs(name: string, draft: DraftRow | null): RowEdit | undefined {
    if (draft === null || draft.version === 0) return undefined
    const { slug } = this.#keptOf(name)
    return this.#editOf(draft, slug, this.#activeNamed(slug))
  }

  /** Takes the server's version as seen, so that what is wanted here is kept over it. */
  insist(name: string, theirs: DraftRow | null): void {
    const { slug } = this.#keptOf(name)
    const active = this.#activeNamed(slug)
    const gone = theirs === null || theirs.version === 0
    const edit = gone ? undefined : this.#editOf(theirs, slug, active)
    this.#keep(name, gone ? undefined : { slug, version: theirs.version, edit })
    this.#dirty.add(name)
  }

  /** Rows that are not kept yet, as they outlive the window. */
  left(): LeftRow[] {
    return [...this.#dirty].map((name) => {
      const kept = this.#kept.get(name)
      const edit = this.#edits.get(name) ?? null
      const sent = (this.#sent.get(name) ?? []).filter((each) => each !== edit)
      return {
        name,
        edit,
        ...(kept !== undefined && { kept }),
        ...(sent.length > 0 && { sent }),
        ...(this.#dropped.has(name) && { dropped: true as const }),
      }
    })
  }

  /** Brings back what was not kept before the window closed; the drafts as the server has them are taken afterwards. */
  restore(rows: readonly LeftRow[]): void {
    for (const { name, edit, kept, sent, dropped } of rows) {
      if (this.base.rowOf(name) === undefined && !this.#addedIds.has(name)) {
        const isNowhere = edit === null || edit.kind === 'changed' || edit.kind === 'removed'
        if (isNowhere && kept === undefined && sent === undefined) continue
        this.#newRow(name)
      }
      if (kept !== undefined) this.#keep(name, kept)
      if (sent !== undefined) this.#sent.set(name, sent)
      if (dropped) this.#dropped.add(name)
      this.#set(name, edit ?? undefined)
    }
    if (rows.length > 0) this.#changed()
  }

  #nameFor(slug: string): string {
    return this.#keptSlugs.get(slug) ?? this.#slugs.get(slug) ?? slug
  }

  #activeNamed(slug: string): ActiveValue {
    const row = this.base.rowOf(slug)
    return row === undefined ? null : this.activeOf(row)
  }

  #editOf(draft: DraftRow, slug: string, active: ActiveValue): RowEdit {
    return editOfDraft(draft, slug, active, this.#placesOver(active))
  }

  /** While no labels are known, a draft's label is neither the active one nor another. */
  #placesOver(active: ActiveValue): readonly string[] {
    return active === null || this.base.labelled
      ? this.places
      : this.places.filter((place) => place !== 'label')
  }

  #keptOf(name: string): KeptRow {
    const known = this.#kept.get(name)
    if (known !== undefined) return known
    const edit = this.#edits.get(name)
    return {
      slug: edit?.kind === 'added' || edit?.kind === 'unread' ? edit.slug : name,
      version: 0,
      edit: undefined,
    }
  }

  /** A window that came back has rows whose names were given before. */
  #freeName(): string {
    let at = this.#added.length + 1
    while (this.#addedIds.has(`+${at}`)) at += 1
    return `+${at}`
  }

  #newRow(name: string): RowId {
    this.#added.push(name)
    const id = -this.#added.length
    this.#addedIds.set(name, id)
    return id
  }

  #set(name: string, edit: RowEdit | undefined): void {
    this.#put(name, edit)
    this.#dirty.add(name)
  }

  #put(name: string, edit: RowEdit | undefined): void {
    const before = this.#edits.get(name)
    if (before?.kind === 'added' && this.#slugs.get(before.slug) === name) this.#slugs.delete(before.slug)
    if (edit === undefined) this.#edits.delete(name)
    else this.#edits.set(name, edit)
    if (edit?.kind === 'added') this.#slugs.set(edit.slug, name)
  }

  #keep(name: string, row: KeptRow | undefined): void {
    const before = this.#kept.get(name)
    if (before !== undefined) this.#keptSlugs.delete(before.slug)
    if (row === undefined) this.#kept.delete(name)
    else {
      this.#kept.set(name, row)
      this.#keptSlugs.set(row.slug, name)
    }
  }

  #isTaken(slug: string): boolean {
    return this.base.rowOf(slug) !== undefined || this.#slugs.has(slug) || this.#keptSlugs.has(slug)
  }

  /** A row that the sheet named is named anew after its key, scope or first day; `given` are the slugs of this step. */
  #renamed(before: RowEdit | undefined, after: AddedRow, given: ReadonlySet<string>): RowEdit {
    if (before?.kind !== 'added' || !isOwnSlug(before.slug, before.cells)) return after
    const isFree = (slug: string): boolean => slug === after.slug || !(given.has(slug) || this.#isTaken(slug))
    return { ...after, slug: slugFor(after.cells, (slug) => !isFree(slug)) }
  }

  #sameRow(before: BaseRows, after: BaseRows, name: string): boolean {
    const [one, other] = [before.rowOf(name), after.rowOf(name)]
    if (one === undefined || other === undefined) return one === other
    return this.places.every(
      (place) => place === 'label' || sameValue(before.value(one, place), after.value(other, place)),
    )
  }
}

function cellOf(edit: RowEdit | undefined, active: ActiveValue, place: string): CellValue {
  if (edit?.kind === 'added' || (edit?.kind === 'changed' && Object.hasOwn(edit.cells, place)))
    return edit.cells[place]
  return active?.(place)
}
