// Where the user was in each list of records, so that the way back leads there: the cursors of its pages and the cell.
import { defineStore } from 'pinia'

export interface ListPosition {
  /** The cursors of the second page and of those after it, as far as the user went. */
  cursors: string[]
  /** The selected cell. */
  record?: string
  column?: string
}

const place = 'almanac.list-positions'
const mostLists = 50

export const useListPositions = defineStore('list-positions', () => {
  const all = new Map<string, ListPosition>(stored())

  /** @param list identifies it: the object, the filter and everything else on which its pages depend */
  const of = (list: string): ListPosition => all.get(list) ?? { cursors: [] }

  /** The tab of the browser remembers it, even if the page is loaded again. */
  function keep(list: string, position: ListPosition): void {
    all.delete(list)
    all.set(list, position)
    for (const oldest of [...all.keys()].slice(0, -mostLists)) all.delete(oldest)
    try {
      sessionStorage.setItem(place, JSON.stringify([...all]))
    } catch {
      // A browser that stores nothing forgets it only when the page is loaded again.
    }
  }

  return { of, keep }
})

function stored(): [string, ListPosition][] {
  try {
    const json: unknown = JSON.parse(sessionStorage.getItem(place) ?? '[]')
    return Array.isArray(json) ? (json as [string, ListPosition][]) : []
  } catch {
    return []
  }
}
