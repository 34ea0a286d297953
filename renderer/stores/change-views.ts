// The words of a long change list, read a page at a time as they come into sight (studio: "Review").
import { shallowRef, triggerRef } from 'vue'
import { diffDrafts, type DiffAnswer, type ListPick } from '../api/pipeline.ts'
import type { ChangeView, ComponentId, PlanAnswer } from '../api/wire.ts'

export type IndexedChange = NonNullable<PlanAnswer['index']>[number]

/** The ids of changes, of a renamed component also the one before. */
export function namesIn(changes: readonly IndexedChange[]): ComponentId[] {
  return changes.flatMap(({ id, from }) => (from === undefined ? [id] : [id, from]))
}

/** Changes of one page. */
export const pageSize = 200
/** Pages that are asked for at a time; the newest question goes first, for it is what is in sight. */
const atOnce = 2

/** `onStale` is called where the list is another one by now. */
export function changeViews(onStale: () => void) {
  /** Every change by name, in the order of the list. */
  const index = shallowRef<readonly IndexedChange[]>([])
  const views = shallowRef(new Map<ComponentId, ChangeView>())
  let digest = ''
  let pick: ListPick = { drafts: true }
  let asked = new Set<number>()
  let waiting: number[] = []
  let running = 0

  /** Begins with a list, and with what is there of it. */
  function begin(next: ListPick, answer: Pick<DiffAnswer, 'changes' | 'index' | 'changeDigest'>): void {
    const same = digest === answer.changeDigest
    pick = next
    digest = answer.changeDigest
    index.value = answer.index ?? answer.changes
    if (!same) {
      asked = new Set()
      waiting = []
      views.value = new Map()
    }
    put(answer.changes)
  }

  function put(changes: readonly ChangeView[]): void {
    for (const change of changes) views.value.set(change.id, change)
    triggerRef(views)
  }

  /** Reads what is not there yet of the changes from one place of the list to another. */
  function need(from: number, to: number): void {
    for (let page = Math.floor(from / pageSize); page * pageSize < Math.min(to, index.value.length); page++) {
      const before = waiting.indexOf(page)
      if (before >= 0) waiting.push(...waiting.splice(before, 1))
      if (asked.has(page)) continue
      asked.add(page)
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
      // Asked again when it comes into sight again.
      asked.delete(page)
    }
  }

  return { index, views, begin, need }
}
