// One open sheet of this window: loaded from the server, saved to it, and updated by events of other users.
import { shallowReactive, shallowRef, triggerRef } from 'vue'
import {
  fetchEntryColumns,
  fetchEntryDrafts,
  fetchEntryLabels,
  saveDrafts,
  type SheetType,
} from '../../../api/sheet.ts'
import { messageOf, loadFailureMessage } from '../../../api/request.ts'
import { UnsavedRowsStore } from '../../../stores/unsaved-rows-store.ts'
import { whenBackupOwnerKnown, backupKey } from '../../../stores/local-backup.ts'
import type { DraftEvent } from '../../../stores/org.ts'
import { isPointerBusy, waitForPointerRest } from '../../../stores/pointer-rest.ts'
import { BaseRows } from './base-rows.ts'
import type { UnsavedRow } from './row-sync-state.ts'
import { parseUnsavedRows, serializeUnsavedRows, parseOwnRows, serializeOwnRows } from './unsaved-rows.ts'
import { SheetSaver } from './sheet-saver.ts'
import type { LostEdit } from './own-edits.ts'
import { Sheet } from './sheet.ts'

export type OpenSheet = ReturnType<typeof openSheet>

/** Up to this many rows, labels are loaded with the rows; above, on request. */
const fewRows = 5000
/** Up to this many unsaved rows have a second copy in the small store, which is written synchronously. */
const mostAtOnce = 10_000

/** `onKept` is called after each save; `me` is the key of the user. */
export function openSheet(
  type: SheetType,
  set: string,
  places: readonly string[],
  { me, onKept }: { me: () => string; onKept: () => void },
) {
  const state = shallowReactive({
    status: 'loading' as 'loading' | 'ready' | 'failed',
    failure: '',
    keeping: 'kept' as SheetSaver['state'],
    /** Why nothing is saved at the moment. */
    waiting: '',
  })
  /** Triggered by every change to the sheet. */
  const changes = shallowRef(0)
  const copy = `sheet.${type}/${set}`
  const aside = new UnsavedRowsStore<UnsavedRow[]>(copy)
  let isAside = false
  let timer = 0
  let rowsTag: string | undefined
  let draftsTag: string | undefined
  /** The number of saves when the drafts were loaded; after a later save, their tag is out of date. */
  let taggedAt = 0
  let isStale = true
  /** The last event of each row received while the row was being saved; it is handled once the row is saved. */
  const early = new Map<string, number>()
  let loading: Promise<void> | null = null
  let next: Promise<void> | null = null

  const sheet: Sheet = new Sheet(set, places, () => {
    markChanged()
    mirror()
    saver.schedule()
  })
  const saver: SheetSaver = new SheetSaver(sheet.syncState, {
    // The last request of a closing window completes after it, if the request is short enough.
    save: (drafts) => saveDrafts(drafts, document.visibilityState === 'hidden' && drafts.length < 50),
    schedule: (milliseconds, then) => {
      window.clearTimeout(timer)
      timer = window.setTimeout(then, milliseconds)
    },
    onChange: () => {
      state.keeping = saver.state
      state.waiting = saver.failure
      markChanged()
    },
    onSaved: () => {
      mirror()
      for (const [slug, version] of early) if (sheet.syncState.isOvertaken(slug, version)) isStale = true
      early.clear()
      onKept()
    },
    onDraftGone: () => {
      isStale = true
      void load()
    },
  })

  function markChanged(): void {
    changes.value += 1
    triggerRef(changes)
  }

  /** Loads the changes. While it loads, one more load is enough for all further changes. */
  function load(): Promise<void> {
    if (loading === null) {
      loading = read().finally(() => (loading = null))
      return loading
    }
    next ??= loading.then(() => {
      next = null
      return load()
    })
    return next
  }

  /** Rows that others add or discard would move under the pointer, so they are loaded when it rests. */
  async function read(): Promise<void> {
    if (state.status === 'ready') await waitForPointerRest()
    const wasStale = isStale
    // Events from now on may be newer than the response.
    isStale = false
    try {
      const [rows, drafts] = await Promise.all([
        fetchEntryColumns(type, set, rowsTag),
        wasStale ? draftsNow(saver.requests === taggedAt ? draftsTag : undefined) : null,
      ])
      // Over different rows, every draft is read again.
      const latestDrafts = rows !== null && drafts === null ? await draftsNow() : drafts
      if (state.status === 'ready' && isPointerBusy()) {
        isStale ||= wasStale
        return await read()
      }
      if (rows !== null) sheet.rebase(new BaseRows(rows.body))
      rowsTag = rows?.tag ?? rowsTag
      // The requests of the previous window may have arrived: the drafts are applied over its unsaved rows.
      if (state.status !== 'ready') await restore()
      if (latestDrafts !== null) {
        sheet.syncState.own.me = me()
        sheet.syncState.loadDrafts(latestDrafts.body.drafts)
        draftsTag = latestDrafts.tag
        taggedAt = saver.requests
        saver.review()
        mirror()
      }
      state.status = 'ready'
      state.failure = ''
      markChanged()
      if (!sheet.base.labelled && sheet.base.size <= fewRows) await label()
    } catch (error) {
      isStale ||= wasStale
      if (state.status === 'loading') state.status = 'failed'
      state.failure = state.status === 'failed' ? messageOf(error) : loadFailureMessage(error)
    }
  }

  /** Drafts loaded during a save may be older than the known state, so they are loaded again. */
  async function draftsNow(tag?: string): ReturnType<typeof fetchEntryDrafts> {
    for (;;) {
      const before = saver.requests
      const drafts = await fetchEntryDrafts(type, set, tag)
      if (saver.requests === before) return drafts
    }
  }

  /** Loads the labels of the rows if they are missing. */
  async function label(): Promise<void> {
    const { base } = sheet
    if (base.labelled) return
    const labels = await fetchEntryLabels(type, set).catch(() => null)
    if (labels === null || sheet.base !== base) return
    const drafts = await draftsNow()
    if (drafts === null || sheet.base !== base) return
    sheet.label(labels.body.slugs, labels.body.labels)
    sheet.syncState.loadDrafts(drafts.body.drafts)
    markChanged()
  }

  /** Handles an event about a draft; events about saves of this window change nothing. */
  function handleDraftEvent(event: DraftEvent | null): void {
    const prefix = `config_entry/${set}.`
    if (event === null) isStale = true
    else if (event.id.startsWith(prefix)) {
      const slug = event.id.slice(prefix.length)
      if (event.version === 0) sheet.syncState.own.recordDiscard(slug, event.author)
      if (sheet.syncState.isUnsaved(slug)) early.set(slug, event.version)
      else if (!sheet.syncState.isSaved(slug, event.version)) isStale = true
    }
  }

  function mirror(): void {
    mirrorOwn()
    const rows = sheet.syncState.unsavedRows()
    const wasAside = isAside
    // Also called with no rows: a leftover copy would bring back rows that have been saved or removed.
    const isHere = mirroredAtOnce(rows)
    isAside = rows.length > 0 && !isHere
    if (isAside) aside.put(rows)
    else if (wasAside) aside.put(null)
  }

  /** Writes all to the small store, or none if they do not fit. Returns whether it has them all. */
  function mirroredAtOnce(rows: readonly UnsavedRow[]): boolean {
    try {
      if (rows.length > 0 && rows.length <= mostAtOnce) {
        localStorage.setItem(backupKey(copy), serializeUnsavedRows(rows))
        return true
      }
    } catch {
      // The store is full.
    }
    localStorage.removeItem(backupKey(copy))
    return false
  }

  /** Stores this window's edits too, so that the next window reports an overwritten edit. */
  function mirrorOwn(): void {
    const rows = sheet.syncState.own.rows()
    const place = backupKey(`own.${type}/${set}`)
    try {
      if (rows.length > 0) return localStorage.setItem(place, serializeOwnRows(rows))
    } catch {
      // The store is full: only this window reports overwritten edits.
    }
    localStorage.removeItem(place)
  }

  async function restore(): Promise<void> {
    await whenBackupOwnerKnown()
    sheet.syncState.own.restore(parseOwnRows(localStorage.getItem(backupKey(`own.${type}/${set}`))))
    const large = await aside.read()
    isAside = large !== null
    if (large !== null) sheet.restore(large)
    try {
      sheet.restore(parseUnsavedRows(localStorage.getItem(backupKey(copy)) ?? '[]'))
    } catch {
      localStorage.removeItem(backupKey(copy))
    }
  }

  /** The user has seen that these edits were overwritten. */
  function dismiss(edits: readonly LostEdit[]): void {
    sheet.syncState.own.dismiss(edits)
    mirrorOwn()
    markChanged()
  }

  return { type, set, sheet, saver, state, changes, load, label, handleDraftEvent, dismiss }
}
