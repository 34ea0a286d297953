// Lists that are made as they are read: the words of a hundred thousand changes never stand in memory at once.

/** Walked as often as is needed; each walk makes its items anew. An array is one too. */
export interface Rows<T> extends Iterable<T> {
  readonly length: number
}

/** `make` of every item, when it is asked for. */
export function rowsOf<S, T>(items: Rows<S>, make: (item: S) => T): Rows<T> {
  return {
    length: items.length,
    *[Symbol.iterator]() {
      for (const item of items) yield make(item)
    },
  }
}

/** One list after the other. */
export function joined<T>(first: Rows<T>, second: Rows<T>): Rows<T> {
  return {
    length: first.length + second.length,
    *[Symbol.iterator]() {
      yield* first
      yield* second
    },
  }
}
