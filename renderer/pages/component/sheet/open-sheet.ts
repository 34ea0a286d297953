// One sheet as it is open in this window: read from the server, kept on it, and told of what others do.
import { shallowReactive, shallowRef, triggerRef } from 'vue'
import {
  fetchEntryColumns,
  fetchEntryDrafts,
  fetchEntryLabels,
  keepDrafts,
  type SheetOf,
} from '../../../api/sheet.ts'
import { messageOf, readingFailure } from '../../../api/request.ts'
import { KeptAside } from '../../../stores/kept-aside.ts'
import { copiesOwned, copyPlace } from '../../../stores/left-copies.ts'
import type { DraftNews } from '../../../stores/org.ts'
import { isPointerBusy, pointerRest } from '../../../stores/pointer-rest.ts'
import { BaseRows } from './base-rows.ts'
import type { LeftRow } from './kept-rows.ts'
import { leftRows, leftText, ownRows, ownText } from './left-rows.ts'
import { SheetKeeper } from './keeper.ts'
import type { LostEdit } from './own-edits.ts'
import { Sheet } from './sheet.ts'

export type OpenSheet = ReturnType<typeof openSheet>

/** Up to so many rows, labels come with them; beyond, when they are asked for. */
const fewRows = 5000
/** Up to so many unkept rows have their second copy in the small store, which is written at once. */
const mostAtOnce = 10_000

/** `onKept` is called whenever something was kept; `me` is the key of the user. */
export function openSheet(
  type: SheetOf,
  set: string,
  places: readonly string[],
  { me, onKept }: { me: () => string; onKept: () => void },
) {
  const state = shallowReactive({
    status: 'loading' as 'loading' | 'ready' | 'failed',
    failure: '',
    keeping: 'kept' as SheetKeeper['state'],
    /** Why nothing is kept at the moment. */
    waiting: '',
  })
  /** Triggered by every change of the sheet. */
  const changes = shallowRef(0)
  const copy = `sheet.${type}/${set}`
  const aside = new KeptAside<LeftRow[]>(copy)
  let isAside = false
  let timer = 0
  let rowsTag: string | undefined
  let draftsTag: string | undefined
  /** How often was kept when the drafts were read: since then their tag names what is not known here any more. */
  let taggedAt = 0
  let isStale = true
  /** The last news of each row that was being kept as it came: what it means is known once the row is kept. */
  const early = new Map<string, number>()
  let loading: Promise<void> | null = null
  let next: Promise<void> | null = null

  const sheet: Sheet = new Sheet(set, places, () => {
    moved()
    mirror()
    keeper.schedule()
  })
  const keeper: SheetKeeper = new SheetKeeper(sheet.kept, {
    // The last request of a window that closes outlives it, where it is short enough for that.
    keep: (drafts) => keepDrafts(drafts, document.visibilityState === 'hidden' && drafts.length < 50),
    later: (milliseconds, then) => {
      window.clearTimeout(timer)
      timer = window.setTimeout(then, milliseconds)
    },
    changed: () => {
      state.keeping = keeper.state
      state.waiting = keeper.failure
      moved()
    },
    kept: () => {
      mirror()
      for (const [slug, version] of early) if (sheet.kept.isOvertaken(slug, version)) isStale = true
      early.clear()
      onKept()
    },
    gone: () => {
      isStale = true
      void load()
    },
  })

  function moved(): void {
    changes.value += 1
    triggerRef(changes)
  }

  /** Reads what moved. While it reads, one more reading is enough for whatever moves meanwhile. */
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

  /** Rows that others add or discard would move under the pointer, so they are read when it rests. */
  async function read(): Promise<void> {
    if (state.status === 'ready') await pointerRest()
    const wasStale = isStale
    // What is heard from now on may come after the answer.
    isStale = false
    try {
      const [rows, drafts] = await Promise.all([
        fetchEntryColumns(type, set, rowsTag),
        wasStale ? draftsNow(keeper.requests === taggedAt ? draftsTag : undefined) : null,
      ])
      // Over other rows, every draft is read anew.
      const taken = rows !== null && drafts === null ? await draftsNow() : drafts
      if (state.status === 'ready' && isPointerBusy()) {
        isStale ||= wasStale
        return await read()
      }
      if (rows !== null) sheet.rebase(new BaseRows(rows.body))
      rowsTag = rows?.tag ?? rowsTag
      // What the window before this one had sent may have arrived: the drafts are taken over what it left.
      if (state.status !== 'ready') await restore()
      if (taken !== null) {
        sheet.kept.own.me = me()
        sheet.kept.takeDrafts(taken.body.drafts)
        draftsTag = taken.tag
        taggedAt = keeper.requests
        keeper.review()
        mirror()
      }
      state.status = 'ready'
      state.failure = ''
      moved()
      if (!sheet.base.labelled && sheet.base.size <= fewRows) await label()
    } catch (error) {
      isStale ||= wasStale
      if (state.status === 'loading') state.status = 'failed'
      state.failure = state.status === 'failed' ? messageOf(error) : readingFailure(error)
    }
  }

  /** Drafts that were read while some were being kept may be older than what is known, and are read again. */
  async function draftsNow(tag?: string): ReturnType<typeof fetchEntryDrafts> {
    for (;;) {
      const before = keeper.requests
      const drafts = await fetchEntryDrafts(type, set, tag)
      if (keeper.requests === before) return drafts
    }
  }

  /** Reads the labels of the rows, where they are not there. */
  async function label(): Promise<void> {
    const { base } = sheet
    if (base.labelled) return
    const labels = await fetchEntryLabels(type, set).catch(() => null)
    if (labels === null || sheet.base !== base) return
    const drafts = await draftsNow()
    if (drafts === null || sheet.base !== base) return
    sheet.label(labels.body.slugs, labels.body.labels)
    sheet.kept.takeDrafts(drafts.body.drafts)
    moved()
  }

  /** A draft moved; news of what was kept here changes nothing. */
  function hear(news: DraftNews | null): void {
    const prefix = `config_entry/${set}.`
    if (news === null) isStale = true
    else if (news.id.startsWith(prefix)) {
      const slug = news.id.slice(prefix.length)
      if (news.version === 0) sheet.kept.own.heardDiscard(slug, news.author)
      if (sheet.kept.isUnkept(slug)) early.set(slug, news.version)
      else if (!sheet.kept.isKept(slug, news.version)) isStale = true
    }
  }

  function mirror(): void {
    mirrorOwn()
    const rows = sheet.kept.left()
    const wasAside = isAside
    // Also called for none: a copy that stayed would bring back rows that are long kept, or gone.
    const isHere = mirroredAtOnce(rows)
    isAside = rows.length > 0 && !isHere
    if (isAside) aside.put(rows)
    else if (wasAside) aside.put(null)
  }

  /** Whether the small store has them all; it has none where it has not. */
  function mirroredAtOnce(rows: readonly LeftRow[]): boolean {
    try {
      if (rows.length > 0 && rows.length <= mostAtOnce) {
        localStorage.setItem(copyPlace(copy), leftText(rows))
        return true
      }
    } catch {
      // It is full.
    }
    localStorage.removeItem(copyPlace(copy))
    return false
  }

  /** What was written here outlives the window too, so that an overwritten edit is reported by the next one. */
  function mirrorOwn(): void {
    const rows = sheet.kept.own.rows()
    const place = copyPlace(`own.${type}/${set}`)
    try {
      if (rows.length > 0) return localStorage.setItem(place, ownText(rows))
    } catch {
      // It is full: overwritten edits are reported by this window alone.
    }
    localStorage.removeItem(place)
  }

  async function restore(): Promise<void> {
    await copiesOwned()
    sheet.kept.own.restore(ownRows(localStorage.getItem(copyPlace(`own.${type}/${set}`))))
    const large = await aside.read()
    isAside = large !== null
    if (large !== null) sheet.restore(large)
    try {
      sheet.restore(leftRows(localStorage.getItem(copyPlace(copy)) ?? '[]'))
    } catch {
      localStorage.removeItem(copyPlace(copy))
    }
  }

  /** The user has seen that these edits were overwritten. */
  function dismiss(edits: readonly LostEdit[]): void {
    sheet.kept.own.dismiss(edits)
    mirrorOwn()
    moved()
  }

  return { type, set, sheet, keeper, state, changes, load, label, hear, dismiss }
}
