// The server's state of a sheet's rows, and the edits that it does not have yet.
import type { BatchedDraft } from '../../../api/sheet.ts'
import type { DraftRow } from '../../../api/wire.ts'
import {
  draftsOf,
  editOfDraft,
  idOf,
  saysSame,
  type ActiveValue,
  type SavedRow,
  type RowEdit,
} from './row-edit.ts'
import { mergeEdits, remainingEdit } from './merge-edits.ts'
import { OwnEdits } from './own-edits.ts'
import type { SheetRows } from './sheet-rows.ts'
import type { UndoStack } from './undo-stack.ts'

/** The drafts to send for a row, and the edit that the server then has. */
interface PendingRow {
  drafts: BatchedDraft[]
  target: RowEdit | undefined
}

/** A row that is not saved yet, in the form that survives a closed window. */
export interface UnsavedRow {
  name: string
  edit: RowEdit | null
  /** The server's edit when it last responded. */
  kept?: SavedRow
  /** The edits sent earlier without a response. */
  sent?: readonly (RowEdit | null)[]
  /** Whether its draft is withdrawn as a whole first. */
  dropped?: true
}

export class RowSyncState {
  readonly #rows: SheetRows
  readonly #undoing: UndoStack<RowEdit>
  /** The server's drafts, by row name. A row without a draft is not included. */
  readonly #savedRows = new Map<string, SavedRow>()
  /** Rows by their slug on the server. */
  readonly #slugs = new Map<string, string>()
  /** Rows whose draft is withdrawn as a whole before any other edit of them is saved. */
  readonly #dropped = new Set<string>()
  /** Rows whose edit differs from the server's. */
  readonly #dirty = new Set<string>()
  /** Every edit sent for a row until a response reports its outcome; null withdraws the draft. */
  readonly #pendingEdits = new Map<string, readonly (RowEdit | null)[]>()
  /** The edits of this window, to notice when another user overwrites them. */
  readonly own = new OwnEdits()

  /** All users who wrote the draft of a slug, as last loaded. */
  readonly #writers = new Map<string, readonly string[]>()

  constructor(rows: SheetRows, undoing: UndoStack<RowEdit>) {
    this.#rows = rows
    this.#undoing = undoing
  }

  get dirty(): ReadonlySet<string> {
    return this.#dirty
  }

  /** The users other than this one who wrote the draft of a row. */
  otherWriters(name: string): readonly string[] {
    const kept = this.#savedRows.get(name)
    const writers = kept === undefined ? [] : (this.#writers.get(kept.slug) ?? [])
    return writers.filter((user) => user !== this.own.me)
  }

  versionOf(name: string): number {
    return this.#of(name).version
  }

  /** Whether the server has a draft of this slug. */
  hasSlug(slug: string): boolean {
    return this.#slugs.has(slug)
  }

  /** Whether some of the row is not saved yet. */
  isUnsaved(slug: string): boolean {
    return this.#dirty.has(this.#nameFor(slug))
  }

  /** Whether the row is saved under this version; 0 if it has no draft. */
  isSaved(slug: string, version: number): boolean {
    return this.versionOf(this.#nameFor(slug)) === version
  }

  /**
   * Whether an event received while the row was being saved came from another writer: the draft is gone or newer.
   */
  isOvertaken(slug: string, version: number): boolean {
    const kept = this.versionOf(this.#nameFor(slug))
    return version === 0 ? kept > 0 : version > kept
  }

  // ---- edits of this window ----

  setWantedEdit(name: string, edit: RowEdit | undefined): void {
    this.#rows.put(name, edit)
    this.#dirty.add(name)
  }

  /** Withdraws the row's draft as a whole before any other edit of the row is saved. */
  drop(name: string): void {
    if (this.#savedRows.has(name)) this.#dropped.add(name)
  }

  /**
   * Returns the drafts that bring the server to the wanted state of a row, or one step closer. Null while a different
   * row still has the slug.
   */
  pending(name: string): PendingRow | null {
    const savedRow = this.#of(name)
    const target = this.#rows.edited.get(name)
    const holder = target?.kind === 'added' ? this.#slugs.get(target.slug) : undefined
    const isHeld = holder !== undefined && holder !== name
    if (savedRow.version > 0 && (isHeld || this.#dropped.has(name)))
      return {
        drafts: [{ id: idOf(this.#rows.set, savedRow.slug), version: savedRow.version, drop: true }],
        target: undefined,
      }
    if (isHeld) return null
    const drafts = draftsOf(this.#rows.set, savedRow, target, this.#rows.activeByName(name))
    // A draft without a change is not sent.
    const says = drafts.some((draft) => !('edits' in draft) || draft.edits.length > 0)
    return { drafts: says ? drafts : [], target }
  }

  /** Notes that this is being sent: if no response comes, it may still have arrived. */
  sending(name: string, target: RowEdit | undefined): void {
    const before = this.#pendingEdits.get(name) ?? []
    if (before.at(-1) !== (target ?? null)) this.#pendingEdits.set(name, [...before, target ?? null])
  }

  /** Notes that the server now has `target` for a row, under this version. */
  settle(name: string, target: RowEdit | undefined, version: number): void {
    const slug = target?.kind === 'added' || target?.kind === 'unread' ? target.slug : this.#of(name).slug
    const more = this.#rows.edited.get(name) !== target
    this.#dropped.delete(name)
    this.#pendingEdits.delete(name)
    this.own.recordSaved(slug, this.#savedRows.get(name)?.edit, target)
    if (version === 0) {
      // Its values equal the active ones, written differently.
      if (target !== undefined && !more) this.#rows.put(name, undefined)
      this.#keep(name, undefined)
    } else {
      const edit = target ?? { kind: 'changed' as const, cells: {} }
      this.#keep(name, { slug, version, edit })
      if (target === undefined && !more) this.#rows.put(name, edit)
    }
    if (!more) this.#dirty.delete(name)
  }

  // ---- state of the server ----

  /** Takes over the server's drafts. Unsaved edits stay and are saved over the drafts that are known here. */
  loadDrafts(drafts: readonly DraftRow[]): void {
    const prefix = `config_entry/${this.#rows.set}.`.length
    const seen = new Set<string>()
    const moved = new Set<string>()
    this.#writers.clear()
    for (const draft of drafts) {
      const slug = draft.id.slice(prefix)
      this.#writers.set(slug, [...new Set(draft.writers.map(({ user }) => user))])
      const name = this.#nameFor(slug)
      seen.add(name)
      const savedRow = this.#savedRows.get(name)
      if (savedRow?.version === draft.version) continue
      if (this.#dirty.has(name)) {
        this.matchSentEdit(name, [draft])
        continue
      }
      if (savedRow !== undefined) moved.add(name)
      this.#take(name, slug, draft)
    }
    for (const name of [...this.#rows.edited.keys()])
      if (!seen.has(name) && !this.#dirty.has(name)) {
        moved.add(name)
        this.#discarded(name)
        this.#keep(name, undefined)
        this.#rows.put(name, undefined)
      }
    for (const name of [...this.#dirty])
      if (!seen.has(name) && this.versionOf(name) > 0 && !this.matchSentEdit(name, []) && this.#layOver(name))
        moved.add(name)
    this.#undoing.forget(moved)
  }

  /** Reads the drafts of these rows again, or of all rows if omitted; unsaved edits stay. */
  forget(names: Iterable<string> = [...this.#savedRows.keys()]): void {
    for (const name of names) if (!this.#dirty.has(name)) this.#keep(name, undefined)
  }

  /**
   * Marks a row as saved if the server's draft is the wanted one or one that was sent from here without a response.
   * Returns whether it is; otherwise another user or window wrote it. `drafts` are those of the row's slugs, with
   * version 0 for a slug without a draft.
   */
  matchSentEdit(name: string, drafts: readonly DraftRow[]): boolean {
    const mine = [this.#rows.edited.get(name) ?? null, ...(this.#pendingEdits.get(name) ?? [])]
    const savedDraft = drafts.find(({ version }) => version > 0)
    const held = mine.find((edit) =>
      savedDraft === undefined ? edit === null : edit !== null && this.#says(savedDraft, name, edit),
    )
    if (held !== undefined) this.settle(name, held ?? undefined, savedDraft?.version ?? 0)
    return held !== undefined
  }

  /**
   * Puts newly typed edits over the row that is active now, if its draft was applied in the meantime. Returns whether
   * it was; otherwise the draft was discarded.
   */
  #layOver(name: string): boolean {
    const { slug, edit } = this.#of(name)
    const target = this.#rows.edited.get(name)
    const active = this.#rows.activeByName(slug)
    if (
      active === null ||
      edit === undefined ||
      remainingEdit(edit, active, this.#placesOver(active)) !== undefined
    )
      return false
    if (target === undefined || target.kind === 'unread') return false
    this.#keep(name, undefined)
    this.#dirty.delete(name)
    this.#pendingEdits.delete(name)
    this.#rows.put(name, undefined)
    const rest = remainingEdit(target, active, this.#placesOver(active))
    if (rest !== undefined) this.setWantedEdit(slug, rest)
    return true
  }

  // ---- edits of other users ----

  /**
   * Joins another user's edit with the one wanted here, if no place was written by both. Returns whether they were
   * joined.
   */
  mergeTheirs(name: string, theirs: DraftRow): boolean {
    const savedRow = this.#of(name)
    const active = this.#rows.activeByName(savedRow.slug)
    const edit = this.theirEditOf(name, theirs)
    const joined = mergeEdits(savedRow.edit, this.#rows.edited.get(name), edit, active)
    if (joined === null) return false
    this.#keep(name, { slug: savedRow.slug, version: theirs.version, edit })
    this.#rows.put(name, joined)
    return true
  }

  /** Handles a draft that is gone but was not discarded here: edits in it that are not active are lost. */
  #discarded(name: string): void {
    const { slug } = this.#of(name)
    const active = this.#rows.activeByName(slug)
    this.own.reportDiscarded(slug, (place) => active?.(place))
  }

  /** Drops the wanted edit of a row: the server's draft, or its absence, is kept. */
  yield(name: string, theirs: DraftRow | null): void {
    const { slug } = this.#of(name)
    this.#dirty.delete(name)
    this.#pendingEdits.delete(name)
    this.#keep(name, undefined)
    this.#undoing.forget(new Set([name]))
    if (theirs === null || theirs.version === 0) this.#rows.put(name, undefined)
    else this.#take(name, slug, theirs)
  }

  /** Another user's draft of a row as an edit. */
  theirEditOf(name: string, draft: DraftRow | null): RowEdit | undefined {
    if (draft === null || draft.version === 0) return undefined
    const { slug } = this.#of(name)
    return this.#editOf(draft, slug, this.#rows.activeByName(slug))
  }

  /** Accepts the server's version, so the wanted edit is saved over it. */
  overrideTheirs(name: string, theirs: DraftRow | null): void {
    const { slug } = this.#of(name)
    const edit = this.theirEditOf(name, theirs)
    this.#keep(name, edit === undefined ? undefined : { slug, version: theirs!.version, edit })
    this.#dirty.add(name)
  }

  // ---- unsaved rows across windows ----

  /** Rows that are not saved yet, in the form that survives a closed window. */
  unsavedRows(): UnsavedRow[] {
    return [...this.#dirty].map((name) => {
      const savedRow = this.#savedRows.get(name)
      const edit = this.#rows.edited.get(name) ?? null
      const pendingEdits = (this.#pendingEdits.get(name) ?? []).filter((each) => each !== edit)
      return {
        name,
        edit,
        ...(savedRow !== undefined && { kept: savedRow }),
        ...(pendingEdits.length > 0 && { sent: pendingEdits }),
        ...(this.#dropped.has(name) && { dropped: true as const }),
      }
    })
  }

  restore(left: readonly UnsavedRow[]): void {
    for (const { name, edit, kept: savedRow, sent, dropped } of left) {
      if (this.#rows.rowNamed(name) === undefined) {
        const isNowhere = edit === null || edit.kind === 'changed' || edit.kind === 'removed'
        if (isNowhere && savedRow === undefined && sent === undefined) continue
        this.#rows.newRow(name)
      }
      if (savedRow !== undefined) this.#keep(name, savedRow)
      if (sent !== undefined) this.#pendingEdits.set(name, sent)
      if (dropped) this.#dropped.add(name)
      this.setWantedEdit(name, edit ?? undefined)
    }
  }

  #take(name: string, slug: string, draft: DraftRow): void {
    const active = this.#rows.activeByName(slug)
    if (active === null && this.#rows.rowNamed(name) === undefined) this.#rows.newRow(name)
    const edit = this.#editOf(draft, slug, active)
    this.own.read(slug, draft.changedBy, { edit, before: this.#savedRows.get(name)?.edit, active })
    this.#keep(name, { slug, version: draft.version, edit })
    this.#rows.put(name, edit)
  }

  #says(draft: DraftRow, name: string, edit: RowEdit): boolean {
    const slug = edit.kind === 'added' || edit.kind === 'unread' ? edit.slug : this.#of(name).slug
    if (draft.id !== idOf(this.#rows.set, slug)) return false
    const active = this.#rows.activeByName(name)
    return saysSame(draft, edit, slug, active, this.#placesOver(active))
  }

  #editOf(draft: DraftRow, slug: string, active: ActiveValue): RowEdit {
    return editOfDraft(draft, slug, active, this.#placesOver(active))
  }

  /** Until labels are loaded, a draft's label counts as neither equal to the active one nor different. */
  #placesOver(active: ActiveValue): readonly string[] {
    const { base, places } = this.#rows
    return active === null || base.labelled ? places : places.filter((place) => place !== 'label')
  }

  #of(name: string): SavedRow {
    const known = this.#savedRows.get(name)
    if (known !== undefined) return known
    const edit = this.#rows.edited.get(name)
    return {
      slug: edit?.kind === 'added' || edit?.kind === 'unread' ? edit.slug : name,
      version: 0,
      edit: undefined,
    }
  }

  #nameFor(slug: string): string {
    return this.#slugs.get(slug) ?? this.#rows.addedNameBySlug(slug) ?? slug
  }

  #keep(name: string, row: SavedRow | undefined): void {
    const before = this.#savedRows.get(name)
    if (before !== undefined) this.#slugs.delete(before.slug)
    if (row === undefined) this.#savedRows.delete(name)
    else {
      this.#savedRows.set(name, row)
      this.#slugs.set(row.slug, name)
    }
  }
}
