// Uses of a component as the inspector lists them: one line for each component that uses it.
import type { Usage } from '../api/wire.ts'

export interface UseLine {
  /** The first of its places. */
  use: Usage
  /** What it uses, or the label of the component. */
  words: string
  /** All that it uses. */
  members: string[]
  places: number
}

/** Members that a line names. */
const mostNamed = 2

export function groupedUses(usages: readonly Usage[]): UseLine[] {
  const lines = new Map<string, UseLine>()
  for (const use of usages) {
    const line = lines.get(use.from) ?? { use, words: '', members: [], places: 0 }
    lines.set(use.from, line)
    line.places += 1
    if (use.member !== undefined && !line.members.includes(use.member)) line.members.push(use.member)
  }
  return [...lines.values()].map((line) => ({ ...line, words: wordsOf(line) }))
}

function wordsOf({ use, members }: UseLine): string {
  if (members.length === 0) return use.label
  const named = members.slice(0, mostNamed).join(', ')
  return members.length > mostNamed ? `${named} and ${members.length - mostNamed} more` : named
}
