// Changes a cell that all processes share: read, decide, write if no other process wrote in the meantime.
import type { CalloutLimits, LimitCell } from '../ports/callout-limits.ts'

export interface CellChange<T> {
  /** The new text; null if it stays as it is. */
  text: string | null
  result: T
}

/** @param decide can run more than once; `now` is the store's clock */
export async function changeCell<T>(
  limits: CalloutLimits,
  cell: LimitCell,
  decide: (text: string | null, now: number) => CellChange<T>,
): Promise<T> {
  // Each round that is lost was won by another process, so this ends.
  for (;;) {
    const { version, text, now } = await limits.read(cell)
    const change = decide(text, now)
    if (change.text === null || (await limits.swap(cell, version, change.text))) return change.result
  }
}
