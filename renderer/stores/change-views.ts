// The descriptions of a long change list, read page by page as they come into view.
import { shallowRef, triggerRef } from 'vue'
import { diffDrafts, type DiffAnswer, type ListPick } from '../api/pipeline.ts'
import type { ChangeView, ComponentId, PlanAnswer } from '../api/wire.ts'

export type IndexedChange = NonNullable<PlanAnswer['index']>[number]

/** The ids of changes; for a renamed component also its earlier id. */
export function namesIn(changes: readonly IndexedChange[]): ComponentId[] {
  return changes.flatMap(({ id, from }) => (from === undefined ? [id] : [id, from]))
}

/** Number of changes on one page. */
export const pageSize = 200
/** Number of pages that are requested at a time; the newest request goes first, because its rows are visible. */
const atOnce = 2

/** `onStale` is called if the list has changed since. */
export function changeViews(onStale: () => void) {
  /** Every change by id, in the order of the list. */
  const index = shallowRef<readonly IndexedChange[]>([])
  const views = shallowRef(new Map<ComponentId, ChangeView>())
  let digest = ''
  let pick: ListPick = { drafts: true }
  let requestedPages = new Set<number>()
  let waiting: number[] = []
  let running = 0

  /** Begins with a list, and with the part of it that is loaded. */
  function begin(next: ListPick, answer: Pick<DiffAnswer, 'changes' | 'index' | 'changeDigest'>): void {
    const same = digest === answer.changeDigest
    pick = next
    digest = answer.changeDigest
    index.value = answer.index ?? answer.changes
    if (!same) {
      requestedPages = new Set()
      waiting = []
      views.value = new Map()
    }
    put(answer.changes)
  }

  function put(changes: readonly ChangeView[]): void {
    for (const change of changes) views.value.set(change.id, change)
    triggerRef(views)
  }

  /** Reads the changes between two positions of the list that are not loaded yet. */
  function need(from: number, to: number): void {
    for (let page = Math.floor(from / pageSize); page * pageSize < Math.min(to, index.value.length); page++) {
      const before = waiting.indexOf(page)
      if (before >= 0) waiting.push(...waiting.splice(before, 1))
      if (requestedPages.has(page)) continue
      requestedPages.add(page)
      const start = page * pageSize
      if (index.value.slice(start, start + pageSize).some(({ id }) => !views.value.has(id)))
        waiting.push(page)
    }
    goOn()
  }

  function goOn(): void {
    while (running < atOnce && waiting.length > 0) {
      running += 1
      void read(waiting.pop()!, digest).finally(() => {
        running -= 1
        goOn()
      })
    }
  }

  async function read(page: number, mine: string): Promise<void> {
    try {
      const answer = await diffDrafts(pick, { from: page * pageSize, count: pageSize })
      if (mine !== digest) return
      if (answer.changeDigest !== digest) onStale()
      else put(answer.changes)
    } catch {
      // Requested again when it becomes visible again.
      requestedPages.delete(page)
    }
  }

  return { index, views, begin, need }
}
