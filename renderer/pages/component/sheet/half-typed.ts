// The text in an open cell that is not written yet: it survives a closed window (studio: "Nothing lost").
import { copyPlace } from '../../../stores/left-copies.ts'

export interface HalfTyped {
  /** Name of the row; null for the new one. */
  row: string | null
  /** Id of the column. */
  column: string
  text: string
}

/** Stores the text; null removes it. */
export function keepHalfTyped(sheet: string, half: HalfTyped | null): void {
  try {
    if (half === null) localStorage.removeItem(placeOf(sheet))
    else localStorage.setItem(placeOf(sheet), JSON.stringify(half))
  } catch {
    // A full store loses the text of one cell, and only if the window closes.
  }
}

export function halfTyped(sheet: string): HalfTyped | null {
  try {
    return JSON.parse(localStorage.getItem(placeOf(sheet)) ?? 'null') as HalfTyped | null
  } catch {
    return null
  }
}

const placeOf = (sheet: string): string => copyPlace(`cell.${sheet}`)
