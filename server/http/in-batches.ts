// Hands on items in batches, so work that is needed once for each hand-over is not repeated for each item.

/** Maximum milliseconds of hand-overs in one turn of the event loop. */
const pieceMs = 5

let waiting: (() => void)[] = []

/** Hand-overs share their turns, so thousands of them leave turns to other requests. */
function soon(handOver: () => void): void {
  waiting.push(handOver)
  if (waiting.length === 1) setImmediate(handOverSome)
}

function handOverSome(): void {
  const due = waiting
  waiting = []
  const until = performance.now() + pieceMs
  let done = 0
  while (done < due.length && (done === 0 || performance.now() < until)) due[done++]!()
  waiting = [...due.slice(done), ...waiting]
  if (waiting.length > 0) setImmediate(handOverSome)
}

/**
 * Returns a function that takes items one by one. They are handed on in order, at most `most` in one turn of the event
 * loop, so other requests get turns in between.
 */
export function inBatches<T>(most: number, take: (items: readonly T[]) => void): (item: T) => void {
  const items: T[] = []
  const handOn = (): void => {
    take(items.splice(0, most))
    if (items.length > 0) soon(handOn)
  }
  return (item) => {
    items.push(item)
    if (items.length === 1) soon(handOn)
  }
}
