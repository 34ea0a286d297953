// Collects what is wrong with the rows of a page, and reports each kind once.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { ErrorCode } from '#kernel/errors/catalogue.ts'
import type { RemoteRow } from './remote-row.ts'
import type { OrderFault } from './row-order.ts'
import type { VirtualObject } from './virtual-object.ts'

export type Ignored = '$filter' | 'ids' | 'owner' | '$top' | '$skip' | '$orderby' | 'absent'

export class PageNotes {
  readonly #object: VirtualObject
  readonly #shows: (field: string) => boolean
  readonly #ignored = new Map<Ignored, number>()
  readonly #moved = new Map<string, number>()
  readonly #wrong = new Map<string, { reason: string; rows: number; id: string }>()
  readonly #others: AlmanacError[] = []
  #unreadable = 0

  /** @param shows whether a field can be named */
  constructor(object: VirtualObject, shows: (field: string) => boolean) {
    this.#object = object
    this.#shows = shows
  }

  ignored(part: Ignored): void {
    count(this.#ignored, part)
  }

  /** In one response the source did not sort; between two, rows have moved. */
  order(fault: OrderFault, isOneResponse: boolean): void {
    if (isOneResponse) this.ignored(fault === 'absent' ? 'absent' : '$orderby')
    else this.moved('a page began before the end of the previous one')
  }

  moved(how: string): void {
    count(this.#moved, how)
  }

  unreadableRow(): void {
    this.#unreadable++
  }

  row({ id, errors }: RemoteRow): void {
    for (const [field, reason] of errors) {
      if (!this.#shows(field)) continue
      const known = this.#wrong.get(field)
      if (known === undefined) this.#wrong.set(field, { reason, rows: 1, id })
      else known.rows++
    }
  }

  incomplete(detail: string): void {
    this.#others.push(new AlmanacError('limit.list_incomplete', detail))
  }

  failed(error: AlmanacError): void {
    this.#others.push(error)
  }

  /** Whether the count of the source includes rows that are not shown. */
  get isCountWrong(): boolean {
    return (['$filter', 'ids', 'owner'] as const).some((part) => this.#ignored.has(part))
  }

  warnings(): AlmanacError[] {
    const { key, source } = this.#object
    const of = `${source.key}, the source of ${key},`
    const warnings = [...this.#others]
    const warn = (code: ErrorCode, detail: string, details: unknown[] = []) =>
      warnings.push(new AlmanacError(code, detail, { details }))
    for (const [part, rows] of this.#ignored)
      warn('integration.source_ignored', `${of} ${ignoredWords[part](rows)}.`, [{ part, rows }])
    if (this.#moved.size > 0) {
      const reasons = [...this.#moved].map(([how, times]) => (times === 1 ? how : `${how} (${times} times)`))
      warn(
        'integration.page_unstable',
        `Rows of ${of} moved between pages: ${reasons.join('; ')}. Some rows can be missing.`,
      )
    }
    if (this.#unreadable > 0)
      warn(
        'integration.wrong_type',
        `${of} returned ${rowsText(this.#unreadable)} without a readable ${this.#object.body.externalId}. They are left out.`,
      )
    if (this.#wrong.size > 0) {
      const details = [...this.#wrong].map(([field, wrong]) => ({ field, ...wrong }))
      const [first, ...more] = details
      const others = more.length === 0 ? '' : ` ${more.length} other fields have such values too.`
      warn(
        'integration.wrong_type',
        `In ${rowsText(first!.rows)} of ${of} ${first!.field} ${first!.reason}; it is shown as absent.${others}`,
        details,
      )
    }
    return warnings
  }
}

const rowsText = (rows: number): string => (rows === 1 ? '1 row' : `${rows} rows`)

const ignoredWords: Readonly<Record<Ignored, (rows: number) => string>> = {
  $filter: (rows) =>
    `returned ${rowsText(rows)} that the filter excludes. They are left out, and others can be missing`,
  ids: (rows) => `returned ${rowsText(rows)} with other keys than it was asked for. They are left out`,
  owner: (rows) => `returned ${rowsText(rows)} of a different owner. They are left out`,
  $top: () => 'returned more rows than it was asked for',
  $skip: () => 'begins each part with the first row of the list, so all rows before a page are read again',
  $orderby: () => 'did not sort the rows as it was asked',
  absent: () => 'put rows without a value at the other end of the order',
}

function count<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
