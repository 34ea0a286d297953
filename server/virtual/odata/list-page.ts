// Reads one page of a virtual object. The source pages: its next links are followed until the page is full. One that
// does not page is asked for a part of its rows, which begins with the last row of the part before.
import type { FieldValue } from '#kernel/components/field-types.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { PageNotes } from '../page-notes.ts'
import type { RemotePage } from '../remote-page.ts'
import type { RemoteCursor, RemotePlace } from '../remote-place.ts'
import { deadlineReached, untilAborted } from '../until-aborted.ts'
import { addressOfLink } from './next-link.ts'
import { listOptions, type ListRequest } from './list-request.ts'
import { listPart, type ListPart } from './list-part.ts'
import { nameOf, readHeaders, send, type ODataSource, type PagingMode } from './odata-source.ts'
import { PageRows } from './page-rows.ts'
import { listPayload } from './payload.ts'
import { listQuery, type ListOptions } from './query-text.ts'

/** The limit for a source that returns pages without rows. */
const mostRequests = 50

/**
 * @param signal aborted at the deadline: the page then has the rows that arrived, and a warning
 * @throws AlmanacError if the first response cannot be read
 */
export async function listPage(
  source: ODataSource,
  request: ListRequest,
  signal: AbortSignal,
): Promise<RemotePage> {
  const options = listOptions(request)
  if (options === null) return { rows: [], next: null, count: request.count ? 0 : null, warnings: [] }
  return new PageReader(source, request, options, signal).read()
}

interface Batch {
  rows: readonly unknown[]
  /** How many rows of the list are before them, if the pages are cut here. */
  start: number
  /** Where the rows after this response are; null after the last row. */
  next: RemoteCursor | null
  count: number | null
}

class PageReader {
  readonly #source: ODataSource
  readonly #request: ListRequest
  readonly #options: ListOptions
  readonly #signal: AbortSignal
  readonly #notes: PageNotes
  readonly #rows: PageRows
  readonly #size: number
  #count: number | null
  /** Null after the last row. */
  #cursor: RemoteCursor | null
  #used: number

  constructor(source: ODataSource, request: ListRequest, options: ListOptions, signal: AbortSignal) {
    const { object, limit, place } = request
    this.#source = source
    this.#request = request
    this.#options = options
    this.#signal = signal
    this.#notes = new PageNotes(object, request.shows ?? (() => true))
    this.#rows = new PageRows(request, this.#notes)
    this.#size = place?.size ?? Math.min(limit, object.source.body.pageSize)
    this.#count = place?.count ?? null
    const isCut = this.#paging === 'here' || this.#paging === 'start'
    this.#cursor = place?.cursor ?? (isCut ? cutFromStart : { kind: 'first' })
    this.#used = place?.used ?? 0
  }

  get #paging(): PagingMode | undefined {
    return this.#source.paging.get(this.#request.object.key)
  }

  async read(): Promise<RemotePage> {
    const visited = new Set<string>()
    for (let requests = 0; this.#cursor !== null && !this.#rows.isFull; requests++) {
      const cursor: RemoteCursor = this.#cursor
      if (requests === mostRequests) {
        this.#notes.incomplete(
          `${nameOf(this.#request.object)} needed more than ${mostRequests} responses for this page. Continue with the cursor, or narrow the filter.`,
        )
        break
      }
      const batch = await this.#fetch(cursor, requests)
      if (batch === null) break
      this.#take(batch)
      if (cursor.kind === 'link') visited.add(linkText(cursor))
      if (this.#cursor !== null && visited.has(linkText(this.#cursor)) && this.#used === 0) {
        this.#notes.moved('a next link leads back to an earlier page')
        this.#cursor = null
      }
    }
    if (this.#cursor === null && this.#request.count) this.#rows.compareCount(this.#count)
    return {
      rows: this.#rows.rows,
      next: this.#place(),
      count: this.#notes.isCountWrong || !this.#request.count ? null : this.#count,
      warnings: this.#notes.warnings(),
    }
  }

  #place(): RemotePlace | null {
    if (this.#cursor === null) return null
    const { last, recent, first, taken } = this.#rows
    return {
      ...{ cursor: this.#cursor, used: this.#used, size: this.#size, recent, first, taken },
      count: this.#count,
      last: last && { id: last.id, order: last.order.map(shortened) },
    }
  }

  /** Null if the page ends here, at the deadline or at a later response that failed. */
  async #fetch(cursor: RemoteCursor, requests: number): Promise<Batch | null> {
    const { object } = this.#request
    try {
      return await untilAborted(this.#fetchBatch(cursor), this.#signal)
    } catch (error) {
      const isDeadline = error === deadlineReached || this.#signal.aborted
      if (cursor.kind === 'first' && (isDeadline || isTooLarge(error)) && this.#cutFromNowOn(isDeadline)) {
        this.#cursor = cutFromStart
        if (!isDeadline) return this.#fetch(cutFromStart, requests)
      }
      if (isDeadline) {
        const { listViewDeadlineMs } = object.source.body
        this.#notes.incomplete(
          `${nameOf(object)} did not return the whole page within ${listViewDeadlineMs} ms (listViewDeadlineMs). The rows that arrived are shown.`,
        )
        return null
      }
      if (requests === 0 || !(error instanceof AlmanacError)) throw error
      this.#notes.failed(error)
      return null
    }
  }

  /**
   * A source that has not paged yet could have tried to return everything. Returns whether that is possible. One slow
   * response decides only about this list.
   */
  #cutFromNowOn(isDeadline: boolean): boolean {
    const { paging } = this.#source
    const { key } = this.#request.object
    const known = paging.get(key)
    if (known !== undefined && known !== 'slow') return false
    paging.set(key, isDeadline && known === undefined ? 'slow' : 'here')
    return true
  }

  async #fetchBatch(cursor: RemoteCursor): Promise<Batch> {
    const { object } = this.#request
    const name = nameOf(object)
    const isSkip = cursor.kind === 'skip'
    const path = cursor.kind === 'link' ? cursor.path : `/${encodeURIComponent(object.body.remoteEntity)}`
    const headers = isSkip ? readHeaders : { ...readHeaders, prefer: `odata.maxpagesize=${this.#size}` }
    const request = { method: 'GET', path, query: this.#query(cursor), headers } as const
    const response = await send(this.#source, object, request, {
      signal: this.#signal,
      refused: (status) => this.#refusal(status, cursor),
    })
    const { rows, nextLink, context, count } = listPayload(response, name)
    const { serviceRoot } = this.#source
    const base = context === null ? [`.${path}`] : [`.${path}`, context]
    const link =
      nextLink === null
        ? null
        : addressOfLink(nextLink, { serviceRoot, what: `The next page of ${name}`, base })
    if (isSkip) return this.#cutPart(cursor.rows, rows, link !== null, count)
    if (link !== null) this.#source.paging.set(object.key, 'source')
    return { rows, start: 0, next: link === null ? null : { kind: 'link', ...link }, count }
  }

  #refusal(status: number, cursor: RemoteCursor): AlmanacError | undefined {
    const { object } = this.#request
    if (status === 410 && cursor.kind === 'link')
      return new AlmanacError(
        'integration.page_unstable',
        `The next page of ${nameOf(object)} has expired. Read the list again from the start.`,
      )
    // It can begin a list, so it is the part that it does not support: it pages itself, but was too slow before.
    if ((status === 400 || status === 501) && cursor.kind === 'skip' && cursor.rows > 0)
      this.#source.paging.set(object.key, 'source')
    return undefined
  }

  #query(cursor: RemoteCursor): string {
    if (cursor.kind === 'link') return cursor.query
    const { object } = this.#request
    if (cursor.kind === 'first') return listQuery(object, this.#options)
    return listQuery(object, { ...this.#options, ...this.#partOf(cursor.rows) })
  }

  #partOf(after: number): ListPart {
    return listPart(after, this.#size, this.#paging === 'start')
  }

  #cutPart(after: number, rows: readonly unknown[], hasLink: boolean, count: number | null): Batch {
    const { skip, top } = this.#partOf(after)
    if (skip > 0 && this.#rows.isFirst(rows[0])) return this.#fromStart(after, hasLink, count)
    const isAll = rows.length > top
    if (isAll && this.#paging !== 'start') this.#notes.ignored('$top')
    const part = isAll ? rows : rows.slice(0, top - 1)
    const end = skip + part.length
    const hasMore = isAll ? hasLink : rows.length === top || (hasLink && end > after)
    const left = after === 0 ? part : this.#rows.afterLast(part, after - skip - 1)
    return {
      ...{ rows: left, start: end - left.length, count },
      next: hasMore && end > after ? { kind: 'skip', rows: end } : null,
    }
  }

  /** The source ignores `$skip`: the part is asked for again, with the rows before it. */
  #fromStart(after: number, hasLink: boolean, count: number | null): Batch {
    this.#notes.ignored('$skip')
    // One that pages with links has no way back to the middle of the list.
    this.#source.paging.set(this.#request.object.key, hasLink ? 'source' : 'start')
    return { rows: [], start: after, next: hasLink ? null : { kind: 'skip', rows: after }, count }
  }

  #take({ rows, start, next, count }: Batch): void {
    const cursor = this.#cursor!
    if (count !== null) {
      if (this.#count !== null && count !== this.#count)
        this.#notes.moved(`the source counted ${this.#count} rows before and ${count} now`)
      this.#count = count
    }
    if (cursor.kind === 'first' || (cursor.kind === 'skip' && cursor.rows === 0)) this.#rows.begin(rows[0])
    const used = this.#rows.take(rows, this.#used)
    if (used === rows.length) {
      this.#cursor = next
      this.#used = 0
    } else if (cursor.kind === 'skip') {
      this.#cursor = { kind: 'skip', rows: start + used }
    } else if (cursor.kind === 'first' && next === null) {
      // Everything came at once.
      this.#source.paging.set(this.#request.object.key, 'here')
      this.#cursor = { kind: 'skip', rows: used }
      this.#used = 0
    } else this.#used = used
  }
}

/** Texts are not compared, because each source has its own order, and a cursor has little room. */
const shortened = (value: FieldValue): FieldValue =>
  typeof value === 'string' && value.length > 100 ? '' : value

const cutFromStart: RemoteCursor = { kind: 'skip', rows: 0 }

const isTooLarge = (error: unknown): boolean =>
  error instanceof AlmanacError && error.code === 'integration.too_large'

const linkText = (cursor: RemoteCursor): string =>
  cursor.kind === 'link' ? `${cursor.path}?${cursor.query}` : ''
