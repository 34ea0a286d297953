// Many items of one moment, handed on together, so that what is asked once for each hand-over is not asked for each item.

/**
 * Returns a function that takes items one by one. They are handed on in order, at most `most` in one turn of the event
 * loop, so that other requests have their turns between.
 */
export function inBatches<T>(most: number, take: (items: readonly T[]) => void): (item: T) => void {
  const waiting: T[] = []
  const handOn = (): void => {
    take(waiting.splice(0, most))
    if (waiting.length > 0) setImmediate(handOn)
  }
  return (item) => {
    waiting.push(item)
    if (waiting.length === 1) setImmediate(handOn)
  }
}
