// Uses of a component as the inspector lists them: one line for all places that read as the same.
import type { Usage } from '../api/wire.ts'

export interface UseLine {
  /** The first of its places. */
  use: Usage
  /** What is used, or the label of the component that uses it. */
  words: string
  places: number
}

export function groupedUses(usages: readonly Usage[]): UseLine[] {
  const lines = new Map<string, UseLine>()
  for (const use of usages) {
    const words = use.member ?? use.label
    const key = `${use.from} ${words}`
    const line = lines.get(key)
    if (line === undefined) lines.set(key, { use, words, places: 1 })
    else line.places += 1
  }
  return [...lines.values()]
}
