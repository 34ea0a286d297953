// What follows from the components of a generation, found once: a view never changes.
import type { RecordSnapshot } from '#kernel/records/index.ts'

/** The function, with its results kept as long as their views. */
export function oncePerView<T>(find: (snapshot: RecordSnapshot) => T): (snapshot: RecordSnapshot) => T {
  const known = new WeakMap<RecordSnapshot['view'], { found: T }>()
  return (snapshot) => {
    let kept = known.get(snapshot.view)
    if (kept === undefined) known.set(snapshot.view, (kept = { found: find(snapshot) }))
    return kept.found
  }
}
