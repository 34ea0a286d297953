// The rows of a page: each is checked again here, and shown once.
import { hash } from 'node:crypto'
import type { PageNotes } from '../page-notes.ts'
import type { RemotePlace } from '../remote-place.ts'
import type { RemoteRow } from '../remote-row.ts'
import { orderFault, orderValues } from '../row-order.ts'
import { readRow, type ReadRow } from './read-row.ts'
import type { ListRequest } from './list-request.ts'

/** Rows before a page in which a repeated row is noticed. */
const mostRecent = 100

const hashOf = (id: string): string => hash('sha256', id, 'base64url').slice(0, 12)

export class PageRows {
  readonly rows: RemoteRow[] = []
  last: RemotePlace['last']
  /** Hash of the id of the first row of the list. */
  first: RemotePlace['first']
  /** How many different rows of the list have come so far, whether or not they are shown. */
  taken: number
  readonly #request: ListRequest
  readonly #notes: PageNotes
  /** Hashes of ids, in the order of the rows. */
  readonly #seen: Set<string>

  constructor(request: ListRequest, notes: PageNotes) {
    this.#request = request
    this.#notes = notes
    this.last = request.place?.last ?? null
    this.first = request.place?.first ?? null
    this.taken = request.place?.taken ?? 0
    this.#seen = new Set(request.place?.recent ?? [])
  }

  get isFull(): boolean {
    return this.rows.length >= this.#request.limit
  }

  get recent(): string[] {
    return [...this.#seen].slice(-mostRecent)
  }

  /** Takes rows of one response until the page is full. Returns how many of them were used, with those used before. */
  take(response: readonly unknown[], usedBefore: number): number {
    let used = usedBefore
    for (; used < response.length && !this.isFull; used++) this.#takeRow(response[used], used > usedBefore)
    return used
  }

  #takeRow(json: unknown, isOneResponse: boolean): void {
    const { object, view } = this.#request
    const read = readRow(json, object, view)
    if (read !== null && this.#isRepeated(read.id)) return this.#notes.moved('a row came twice')
    this.taken += 1
    if (read === null) return this.#notes.unreadableRow()
    const { owner, ...row } = read
    this.#checkOrder(row, isOneResponse)
    if (!this.#isShown(row, owner)) return
    this.#notes.row(row)
    this.rows.push(row)
  }

  /** Remembers the first row of the list. */
  begin(json: unknown): void {
    const id = this.#idOf(json)
    this.first = id === undefined ? null : hashOf(id)
  }

  isFirst(json: unknown): boolean {
    const id = this.#idOf(json)
    return id !== undefined && hashOf(id) === this.first
  }

  /**
   * The part that follows the last row.
   * @param expected the position of the last row, unless rows have moved
   */
  afterLast(part: readonly unknown[], expected: number): readonly unknown[] {
    const { last } = this
    const at = last === null ? expected : part.findIndex((json) => this.#idOf(json) === last.id)
    if (at === expected) return part.slice(at + 1)
    this.#notes.moved(
      at === -1
        ? 'the last row of the previous page is no longer where it was'
        : `rows were ${at > expected ? 'added' : 'removed'} before the page`,
    )
    // If only that row is gone, those after it are one place further to the front.
    return part.slice(at === -1 ? expected : at + 1)
  }

  /** After the last row of the list. */
  compareCount(count: number | null): void {
    if (count !== null && count !== this.taken && !this.#notes.isCountWrong)
      this.#notes.moved(`the source counted ${count} rows and returned ${this.taken}`)
  }

  #idOf(json: unknown): string | undefined {
    const { object, view } = this.#request
    return readRow(json, object, view)?.id
  }

  #isRepeated(id: string): boolean {
    const hashed = hashOf(id)
    if (this.#seen.has(hashed)) return true
    this.#seen.add(hashed)
    return false
  }

  #checkOrder(row: RemoteRow, isOneResponse: boolean): void {
    const { orderBy, object } = this.#request
    const order = orderValues(row, orderBy)
    const isReadable = orderBy.every(({ field }) => !row.errors.has(field))
    const fault =
      this.last === null || !isReadable ? null : orderFault(this.last.order, order, orderBy, object)
    if (fault !== null) this.#notes.order(fault, isOneResponse)
    if (isReadable) this.last = { id: row.id, order }
    else this.last = { id: row.id, order: this.last?.order ?? order }
  }

  #isShown(row: RemoteRow, owner: ReadRow['owner']): boolean {
    const { filter, object, owner: user, ids } = this.#request
    if (ids?.has(row.id) === false) {
      this.#notes.ignored('ids')
      return false
    }
    if (object.body.ownerColumn !== undefined && user !== null && owner !== user) {
      this.#notes.ignored('owner')
      return false
    }
    if (filter === null || filter.by.passes(row, filter.input)) return true
    this.#notes.ignored('$filter')
    return false
  }
}
