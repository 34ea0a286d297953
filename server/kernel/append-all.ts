// Appends a list of any length to another. `push(...items)` passes each item as an argument, which fails with a
// RangeError at about 120,000 of them.

export function appendAll<T>(list: T[], items: Iterable<T>): void {
  for (const item of items) list.push(item)
}
