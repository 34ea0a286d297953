// What was read of the org, until anything is written to it: its position is cheap to read, rights and credentials are not.
import type { OrgReader, OrgStore } from '../ports/org-store.ts'

/** More are not kept. */
const maxKept = 10_000

/** @returns reads the value of a name, unless it is known; a value must follow from its name and the org alone */
export function cachedReads<T>(
  store: Pick<OrgStore, 'read' | 'position'>,
): (name: string, work: (reader: OrgReader) => T) => T {
  const known = new Map<string, { value: T }>()
  let readAt = -1
  return (name, work) => {
    const now = store.position()
    if (now !== readAt || known.size >= maxKept) known.clear()
    readAt = now
    const found = known.get(name)
    if (found !== undefined) return found.value
    const value = store.read(work)
    known.set(name, { value })
    return value
  }
}
