// How a part of a list is asked for, if the source does not page.

export interface ListPart {
  skip: number
  top: number
}

/**
 * One row before the part shows whether rows have moved; one row after it, whether there are more.
 * @param after how many rows of the list are before the part
 * @param isFromStart for a source that ignores `$skip`: with all rows before the part
 */
export function listPart(after: number, size: number, isFromStart: boolean): ListPart {
  if (isFromStart) return { skip: 0, top: after + size + 1 }
  const before = after === 0 ? 0 : 1
  return { skip: after - before, top: size + before + 1 }
}
