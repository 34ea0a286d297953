// Lists whose items are created as they are read, so that the words of a hundred thousand changes are never in memory
// at once.

/** Can be iterated repeatedly; each iteration makes the items again. An array is also valid. */
export interface LazyList<T> extends Iterable<T> {
  readonly length: number
}

/** Calls `make` for each item when it is read. */
export function lazyMap<S, T>(items: LazyList<S>, make: (item: S) => T): LazyList<T> {
  return {
    length: items.length,
    *[Symbol.iterator]() {
      for (const item of items) yield make(item)
    },
  }
}

/** One list after the other. */
export function concatLists<T>(first: LazyList<T>, second: LazyList<T>): LazyList<T> {
  return {
    length: first.length + second.length,
    *[Symbol.iterator]() {
      yield* first
      yield* second
    },
  }
}
