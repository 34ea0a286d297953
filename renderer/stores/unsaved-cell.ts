// The text in an open cell that is not written yet: it survives a closed window.
import { backupKey } from './local-backup.ts'

export interface UnsavedCell {
  /** Name of the row; null for the new one. */
  row: string | null
  /** Id of the column. */
  column: string
  text: string
  /** What is stored in the cell, in a grid of records. */
  base?: string | boolean | null
}

/** Stores the text; null removes it. */
export function saveUnsavedCell(sheet: string, half: UnsavedCell | null): void {
  try {
    if (half === null) localStorage.removeItem(placeOf(sheet))
    else localStorage.setItem(placeOf(sheet), JSON.stringify(half))
  } catch {
    // If the store is full, the text of one cell is lost, and only if the window closes.
  }
}

export function loadUnsavedCell(sheet: string): UnsavedCell | null {
  try {
    return JSON.parse(localStorage.getItem(placeOf(sheet)) ?? 'null') as UnsavedCell | null
  } catch {
    return null
  }
}

const placeOf = (sheet: string): string => backupKey(`cell.${sheet}`)
