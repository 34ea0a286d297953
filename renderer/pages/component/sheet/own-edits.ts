// This user's edits of rows: an edit that another user overwrites or discards is reported and can be restored.
import { sameValue, type CellValue } from './columns.ts'
import { meansSame } from './merge-edits.ts'
import type { ActiveValue, Cells, RowEdit } from './row-edit.ts'
import { cellOf } from './sheet-rows.ts'

export interface LostEdit {
  slug: string
  place: string
  mine: CellValue
  /** The current value of the cell. */
  theirs: CellValue
  /** The key of the other user; null if unknown. */
  author: string | null
  /** Whether the draft is gone without being applied. */
  discarded: boolean
}

export interface OwnRow {
  slug: string
  cells: Cells
}

interface ReadRow {
  edit: RowEdit | undefined
  before: RowEdit | undefined
  active: ActiveValue
}

/** More rows than a user types by hand; a larger paste is not tracked cell by cell. */
const mostRows = 2000

export class OwnEdits {
  /** The key of the user of this window. */
  me = ''
  /** Newest first, one for each cell. */
  lostEdits: readonly LostEdit[] = []
  readonly #mine = new Map<string, Cells>()
  /** Who discarded the draft of a row, according to the events. */
  readonly #discarders = new Map<string, string>()

  /** Records a row that was saved as written here. */
  recordSaved(slug: string, before: RowEdit | undefined, after: RowEdit | undefined): void {
    if (after === undefined || after.kind === 'removed' || after.kind === 'unread') {
      this.#mine.delete(slug)
      this.#forgetLost(slug)
      return
    }
    const held = before !== undefined && 'cells' in before ? before.cells : {}
    const written = Object.entries(after.cells).filter(
      ([place, value]) => !Object.hasOwn(held, place) || !sameValue(held[place], value),
    )
    if (written.length === 0) return
    this.#forgetLost(slug, new Set(written.map(([place]) => place)))
    const cells = { ...this.#mine.get(slug), ...Object.fromEntries(written) }
    this.#mine.delete(slug)
    this.#mine.set(slug, cells)
    for (const oldest of this.#mine.keys()) {
      if (this.#mine.size <= mostRows) break
      this.#mine.delete(oldest)
    }
  }

  /** Handles a loaded draft that another window or user saved; `before` is the row as it was here until then. */
  read(slug: string, author: string, { edit, before, active }: ReadRow): void {
    const mine = this.#mine.get(slug)
    if (mine === undefined) return
    const now = (place: string): CellValue =>
      edit?.kind === 'removed' ? undefined : cellOf(edit, active, place)
    if (author === this.me) {
      // Written by this user in another window: its current state is the wanted one.
      const same = Object.entries(mine).filter(([place, value]) => meansSame(value, now(place)))
      this.#mine.set(slug, Object.fromEntries(same))
      return
    }
    // The whole row is this user's draft: another user's value in any of its cells is reported.
    const places = [before, edit].flatMap((each) =>
      each !== undefined && 'cells' in each ? Object.keys(each.cells) : [],
    )
    const held = before === undefined ? [] : places.map((place) => [place, cellOf(before, active, place)])
    this.#compare(slug, { ...Object.fromEntries(held), ...mine }, now, author, false)
  }

  /** Handles the event that a draft is gone. */
  recordDiscard(slug: string, author: string): void {
    this.#discarders.set(slug, author)
  }

  /** Handles a draft that is gone; `active` reads the row that is active now. */
  reportDiscarded(slug: string, active: (place: string) => CellValue): void {
    const [mine, author] = [this.#mine.get(slug), this.#discarders.get(slug)]
    this.#discarders.delete(slug)
    if (mine === undefined) return
    // Without an event, no other user is known to have done it.
    if (author === undefined || author === this.me) return void this.#mine.delete(slug)
    this.#compare(slug, mine, active, author, true)
  }

  /** Forgets edits that the user has seen or restored. */
  dismiss(edits: readonly LostEdit[]): void {
    this.lostEdits = this.lostEdits.filter((each) => !edits.includes(each))
  }

  rows(): OwnRow[] {
    const all = new Map(this.#mine)
    // Lost edits that are not dismissed are reported by the next window too.
    for (const { slug, place, mine } of this.lostEdits) all.set(slug, { ...all.get(slug), [place]: mine })
    return [...all].map(([slug, cells]) => ({ slug, cells }))
  }

  restore(rows: readonly OwnRow[]): void {
    for (const { slug, cells } of rows) this.#mine.set(slug, cells)
  }

  #compare(
    slug: string,
    mine: Cells,
    now: (place: string) => CellValue,
    author: string,
    discarded: boolean,
  ): void {
    const lost = Object.entries(mine).flatMap(([place, value]): LostEdit[] =>
      meansSame(value, now(place)) || place === 'label'
        ? []
        : [{ slug, place, mine: value, theirs: now(place), author, discarded }],
    )
    const places = new Set(lost.map(({ place }) => place))
    const left = Object.entries(this.#mine.get(slug) ?? {}).filter(([place]) => !places.has(place))
    if (left.length === 0 || discarded) this.#mine.delete(slug)
    else this.#mine.set(slug, Object.fromEntries(left))
    this.lostEdits = [
      ...lost,
      ...this.lostEdits.filter((each) => each.slug !== slug || !places.has(each.place)),
    ]
  }

  #forgetLost(slug: string, places?: ReadonlySet<string>): void {
    const isOld = (each: LostEdit): boolean => each.slug === slug && (places?.has(each.place) ?? true)
    if (this.lostEdits.some(isOld)) this.lostEdits = this.lostEdits.filter((each) => !isOld(each))
  }
}
