// What stands in an open cell and is not written yet: it outlives the window (studio: "Nothing lost").
import { copyPlace } from '../../../stores/left-copies.ts'

export interface HalfTyped {
  /** Name of the row; null of the new one. */
  row: string | null
  /** Id of the column. */
  column: string
  text: string
}

/** Null forgets it. */
export function keepHalfTyped(sheet: string, half: HalfTyped | null): void {
  try {
    if (half === null) localStorage.removeItem(placeOf(sheet))
    else localStorage.setItem(placeOf(sheet), JSON.stringify(half))
  } catch {
    // A full store costs what stands in one cell, and only if the window goes.
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
