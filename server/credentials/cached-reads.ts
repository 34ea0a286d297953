// What was read of the org, until anything is written to it: its position is cheap to read, rights and credentials are not.
import type { OrgReader, OrgStore } from '../ports/org-store.ts'

/** More are not kept. */
const maxKept = 10_000

export interface CachedReadOptions {
  /** How long the position counts as read just now, in milliseconds: a moment of calls reads it once. */
  momentMs?: number | undefined
}

/** For calls: a write is in effect within this time. */
export const callMoment: CachedReadOptions = { momentMs: 1 }

/** @returns reads the value of a name, unless it is known; a value must follow from its name and the org alone */
export function cachedReads<T>(
  store: Pick<OrgStore, 'read' | 'position'>,
  { momentMs = 0 }: CachedReadOptions = {},
): (name: string, work: (reader: OrgReader) => T) => T {
  const known = new Map<string, { value: T }>()
  const position = momentMs === 0 ? () => store.position() : positionWithin(store, momentMs)
  let readAt = -1
  return (name, work) => {
    const now = position()
    if (now !== readAt || known.size >= maxKept) known.clear()
    readAt = now
    const found = known.get(name)
    if (found !== undefined) return found.value
    const value = store.read(work)
    known.set(name, { value })
    return value
  }
}

const moments = new WeakMap<object, () => number>()

/** The same for all readers of a store. */
function positionWithin(store: Pick<OrgStore, 'position'>, momentMs: number): () => number {
  const known = moments.get(store)
  if (known !== undefined) return known
  let position = -1
  let readAt = -Infinity
  const read = (): number => {
    const at = performance.now()
    if (at - readAt >= momentMs) {
      position = store.position()
      readAt = at
    }
    return position
  }
  moments.set(store, read)
  return read
}
