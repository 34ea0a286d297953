// Saves the edits of a sheet to the server after a short delay, each step as a whole.
import { ApiError, messageOf } from '../../../api/request.ts'
import type { BatchedDraft } from '../../../api/sheet.ts'
import type { DraftRow } from '../../../api/wire.ts'
import type { RowEdit } from './row-edit.ts'
import type { RowSyncState } from './row-sync-state.ts'

export type SaveState = 'kept' | 'keeping' | 'waiting' | 'refused'

export interface SheetSaverDeps {
  save: (drafts: readonly BatchedDraft[]) => Promise<number[]>
  /** Calls back after some milliseconds; a later call replaces an earlier one. */
  schedule: (milliseconds: number, then: () => void) => void
  /** Called when the state, conflicts or refusals changed. */
  onChange: () => void
  /** Called when something was saved. */
  onSaved: () => void
  /**
   * Called when a draft that is known here is gone: active rows and drafts are loaded again, then `review` is called.
   */
  onDraftGone: () => void
}

/** Rows per request: about a quarter of a second of server time. */
const most = 2000
const pause = 120
const retryAfter = 4000

interface Pending {
  name: string
  drafts: BatchedDraft[]
  target: RowEdit | undefined
}

export class SheetSaver {
  state: SaveState = 'kept'
  failure = ''
  /** Rows that another window or user drafted in the meantime, with their drafts; null if the draft is gone. */
  readonly conflicts = new Map<string, DraftRow | null>()
  /** Rows that the server refuses, with its message. They are retried once they change. */
  readonly refused = new Map<string, { edit: RowEdit | undefined; words: string }>()
  /** Increases with every request, to recognise responses that are older than a request. */
  requests = 0
  readonly #rows: RowSyncState
  readonly #parts: SheetSaverDeps
  /** Rows whose draft is gone; whether it was applied or discarded is known once rows and drafts are loaded again. */
  readonly #gone = new Set<string>()
  #running: Promise<void> = Promise.resolve()

  constructor(rows: RowSyncState, deps: SheetSaverDeps) {
    this.#rows = rows
    this.#parts = deps
  }

  schedule(): void {
    if (this.state === 'kept' || this.state === 'refused') this.state = 'keeping'
    this.#parts.onChange()
    this.#parts.schedule(pause, () => void this.save())
  }

  /** Saves everything now. Sends one request at a time, so versions stay in sequence. */
  save(): Promise<void> {
    this.#running = this.#running.then(() => this.#run())
    return this.#running
  }

  /** Settles conflicts: either saves my edits over theirs, or keeps theirs and drops mine. */
  settle(names: Iterable<string>, choice: 'mine' | 'theirs'): void {
    for (const name of [...names]) {
      const theirs = this.conflicts.get(name) ?? null
      if (!this.conflicts.delete(name)) continue
      if (choice === 'mine') this.#rows.overrideTheirs(name, theirs)
      else this.#rows.yield(name, theirs)
    }
    this.schedule()
  }

  /** Reviews the conflicts after drafts and active rows were loaded again. A conflict with equal sides is removed. */
  review(): void {
    for (const name of this.#gone)
      if (this.#rows.dirty.has(name) && this.#rows.versionOf(name) > 0) this.conflicts.set(name, null)
    for (const [name, theirs] of [...this.conflicts]) {
      const isOver =
        !this.#rows.dirty.has(name) ||
        (theirs === null ? this.#rows.versionOf(name) === 0 : this.#rows.matchSentEdit(name, [theirs]))
      if (isOver) this.conflicts.delete(name)
    }
    const waited = this.#gone.size > 0
    this.#gone.clear()
    if (waited || this.#rows.dirty.size > 0) this.schedule()
  }

  async #run(): Promise<void> {
    for (;;) {
      const pending = this.#pending().slice(0, most)
      if (pending.length === 0) break
      this.state = 'keeping'
      this.#parts.onChange()
      const failure = await this.#send(pending)
      if (failure === null) continue
      this.state = 'waiting'
      this.failure = failure
      this.#parts.onChange()
      this.#parts.schedule(retryAfter, () => void this.save())
      return
    }
    this.failure = ''
    this.state = this.refused.size > 0 ? 'refused' : 'kept'
    this.#parts.onChange()
    this.#parts.onSaved()
  }

  #pending(): Pending[] {
    const pending: Pending[] = []
    for (const name of this.#rows.dirty) {
      if (this.conflicts.has(name) || this.#gone.has(name)) continue
      const row = this.#rows.pending(name)
      if (row === null) continue
      const { drafts, target } = row
      const before = this.refused.get(name)
      if (before !== undefined && before.edit === target) continue
      this.refused.delete(name)
      pending.push({ name, drafts, target })
    }
    return pending
  }

  /** Null if the server responded, even with an error; otherwise the reason why it did not. */
  async #send(pending: readonly Pending[]): Promise<string | null> {
    const idle = pending.filter(({ drafts }) => drafts.length === 0)
    for (const { name, target } of idle) this.#rows.settle(name, target, this.#rows.versionOf(name))
    const batch = pending.filter(({ drafts }) => drafts.length > 0)
    if (batch.length === 0) return null
    this.requests += 1
    for (const { name, target } of batch) this.#rows.sending(name, target)
    try {
      const versions = await this.#parts.save(batch.flatMap(({ drafts }) => drafts))
      let at = 0
      for (const { name, drafts, target } of batch) {
        at += drafts.length
        this.#rows.settle(name, target, versions[at - 1] ?? 0)
      }
      return null
    } catch (error) {
      return this.#refusal(error, batch)
    } finally {
      this.requests += 1
    }
  }

  async #refusal(error: unknown, batch: readonly Pending[]): Promise<string | null> {
    if (!(error instanceof ApiError) || error.status < 400 || error.status >= 500 || error.status === 401)
      return messageOf(error)
    if (error.code === 'conflict.stale_draft' && this.#noted(error.details, batch)) return null
    const [first] = batch
    if (batch.length === 1) {
      this.refused.set(first!.name, { edit: first!.target, words: error.message })
      return null
    }
    // One of them is faulty: sending halves finds it, and the others are saved.
    const half = Math.ceil(batch.length / 2)
    return (await this.#send(batch.slice(0, half))) ?? (await this.#send(batch.slice(half)))
  }

  /** Notes the rows that moved. The others are sent with the next request. */
  #noted(details: readonly unknown[], sent: readonly Pending[]): boolean {
    const byId = new Map(sent.flatMap(({ name, drafts }) => drafts.map(({ id }) => [id as string, name])))
    const moved = new Map<string, DraftRow[]>()
    for (const detail of details as readonly DraftRow[]) {
      const name = byId.get(detail?.id)
      if (name !== undefined) moved.set(name, [...(moved.get(name) ?? []), detail])
    }
    for (const [name, drafts] of moved) {
      if (this.#rows.matchSentEdit(name, drafts)) continue
      const theirs = drafts.findLast(({ version }) => version > 0)
      if (theirs === undefined) this.#gone.add(name)
      else if (!this.#rows.mergeTheirs(name, theirs)) this.conflicts.set(name, theirs)
    }
    if (this.#gone.size > 0) this.#parts.onDraftGone()
    return moved.size > 0
  }
}
