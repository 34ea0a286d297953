// The active rows of a set: columns as received; a value is created only when it is read.
import { dateOf, type DayNumber } from '#kernel/dates/civil-date.ts'
import type { EntryColumns } from '../../../api/sheet.ts'
import type { CellValue } from './columns.ts'

export class BaseRows {
  readonly digest: string
  readonly size: number
  readonly slugs: readonly string[]
  readonly #columns: EntryColumns
  readonly #from: Int32Array | null
  /** First day that no longer applies; `open` if open-ended. */
  readonly #to: Int32Array | null
  readonly #keyOf: Int32Array | null
  readonly #scopeOf: Int32Array
  readonly #dates = new Map<number, string>()
  #places: Map<string, number> | null = null
  #keyPlaces: Map<string, number> | null = null
  #labels: readonly string[] | null = null

  constructor(columns: EntryColumns) {
    this.#columns = columns
    this.digest = columns.digest
    this.size = columns.rows
    this.slugs = columns.slugs
    this.#from = columns.from ? Int32Array.from(columns.from) : null
    this.#to = columns.to ? Int32Array.from(columns.to, (day) => day ?? open) : null
    this.#keyOf = columns.keyOf ? Int32Array.from(columns.keyOf) : null
    this.#scopeOf = Int32Array.from(columns.scopeOf)
    // The plain lists are not needed in addition to the packed ones.
    delete columns.from
    delete columns.to
    delete columns.keyOf
    columns.scopeOf = []
  }

  static readonly none = new BaseRows({ digest: '', rows: 0, slugs: [], scopes: [], scopeOf: [], values: {} })

  /** The row of an entry by the part of its key after the set; undefined if it does not exist. */
  rowOf(slug: string): number | undefined {
    this.#places ??= new Map(this.slugs.map((each, row) => [each, row]))
    return this.#places.get(slug)
  }

  /** By the place in the text of the entry, such as `body/values/rate`. */
  value(row: number, place: string): CellValue {
    switch (place) {
      case 'body/key':
        return this.keyOf(row) ?? undefined
      case 'body/scope':
        return this.#columns.scopes[this.#scopeOf[row]!] as CellValue
      case 'body/effectiveFrom':
        return this.#from === null ? undefined : this.#date(this.#from[row]!)
      case 'body/effectiveTo':
        return this.#to === null ? undefined : this.#to[row] === open ? null : this.#date(this.#to[row]!)
      case 'body/priority':
        return this.#columns.priority?.[row] ?? undefined
      case 'label':
        return this.#labels?.[row]
      default:
        return this.#columns.values[place.slice(valuesPrefix.length)]?.[row] ?? undefined
    }
  }

  /** Rows share their dates: there are fewer days than rows. */
  #date(day: number): string {
    let date = this.#dates.get(day)
    if (date === undefined) this.#dates.set(day, (date = dateOf(day as DayNumber)))
    return date
  }

  /** Null for a row of a singleton or a flag. */
  keyOf(row: number): string | null {
    return this.#keyOf === null ? null : this.#columns.keys![this.#keyOf[row]!]!
  }

  *all(): Iterable<number> {
    for (let row = 0; row < this.size; row += 1) yield row
  }

  /** The rows of one business key, which are adjacent. */
  *rowsOfKey(key: string): Iterable<number> {
    if (this.#keyOf === null) return
    this.#keyPlaces ??= new Map(this.#columns.keys!.map((each, at) => [each, at]))
    const keyIndex = this.#keyPlaces.get(key)
    if (keyIndex === undefined) return
    let [low, high] = [0, this.size]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#keyOf[middle]! < keyIndex) low = middle + 1
      else high = middle
    }
    for (let row = low; row < this.size && this.#keyOf[row] === keyIndex; row += 1) yield row
  }

  /** A number that orders the values of a place, or null if their texts decide. */
  rank(place: string): ((row: number) => number) | null {
    if (place === 'body/effectiveFrom' && this.#from !== null) return (row) => this.#from![row]!
    if (place === 'body/effectiveTo' && this.#to !== null) return (row) => this.#to![row]!
    // The rows are ordered by key.
    if (place === 'body/key' && this.#keyOf !== null) return (row) => this.#keyOf![row]!
    return null
  }

  get labelled(): boolean {
    return this.#labels !== null || this.size === 0
  }

  label(slugs: readonly string[], labels: readonly string[]): void {
    const bySlug = new Map(slugs.map((slug, at) => [slug, labels[at]!]))
    this.#labels = this.slugs.map((slug) => bySlug.get(slug) ?? '')
  }
}

const valuesPrefix = 'body/values/'
const open = 0x7fffffff
