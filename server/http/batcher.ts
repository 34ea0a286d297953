// Passes items on in batches, so that work needed once per batch is not repeated for each item.

/** Maximum time, in milliseconds, to spend delivering batches in one turn of the event loop. */
const turnMs = 5

let pendingHandOvers: (() => void)[] = []

/** Batches share turns of the event loop, so that thousands of them leave turns to other requests. */
function scheduleHandOver(handOver: () => void): void {
  pendingHandOvers.push(handOver)
  if (pendingHandOvers.length === 1) setImmediate(runHandOvers)
}

function runHandOvers(): void {
  const due = pendingHandOvers
  pendingHandOvers = []
  const until = performance.now() + turnMs
  let done = 0
  while (done < due.length && (done === 0 || performance.now() < until)) due[done++]!()
  pendingHandOvers = [...due.slice(done), ...pendingHandOvers]
  if (pendingHandOvers.length > 0) setImmediate(runHandOvers)
}

/**
 * Returns a function that takes items one by one. They are passed on in order, at most `most` in one turn of the event
 * loop, so other requests get turns in between.
 */
export function createBatcher<T>(most: number, take: (items: readonly T[]) => void): (item: T) => void {
  const items: T[] = []
  const handOn = (): void => {
    take(items.splice(0, most))
    if (items.length > 0) scheduleHandOver(handOn)
  }
  return (item) => {
    items.push(item)
    if (items.length === 1) scheduleHandOver(handOn)
  }
}
