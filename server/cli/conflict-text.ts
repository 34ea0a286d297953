// The conflicts of a stale generation for a terminal: each changed place as it was, as it is now, and as submitted.
import { diffValues, type ValueChange } from '#kernel/change/index.ts'
import type { Component } from '#kernel/components/body-types.ts'
import { itemKeysOf } from '#kernel/components/item-keys.ts'
import { printableText } from './printable-text.ts'
import { tableText } from './table.ts'
import type { Terminal } from './terminal.ts'

const maxConflicts = 20
const maxValueLength = 60

/** A detail of conflict.stale_generation, from an org here or behind a server. */
interface Conflict {
  id: string
  base: Component | null
  theirs: Component | null
  mine: Component | null
  /** Why base and theirs are null even though they exist. */
  hidden?: string
}

type Row = readonly [place: string, base: string, theirs: string, mine: string]

export function isConflict(detail: unknown): detail is Conflict {
  return (
    typeof detail === 'object' &&
    detail !== null &&
    ['id', 'base', 'theirs', 'mine'].every((name) => name in detail)
  )
}

/** One table for each component; a long list is truncated, with the number of omitted components. */
export function conflictsText(conflicts: readonly Conflict[], terminal: Terminal): string {
  const { paint } = terminal
  const firstConflicts = conflicts.slice(0, maxConflicts)
  const tables = firstConflicts.map((conflict) => {
    const table = tableText(terminal, ['place', 'base', 'theirs', 'mine'], rowsOf(conflict))
    return `${paint.bold(printableText(conflict.id))}\n${table.replace(/^/gm, '  ')}`
  })
  const rest = conflicts.length - firstConflicts.length
  const more = rest > 0 ? [`… and ${rest.toLocaleString('en')} more; use --json to get all of them.`] : []
  return [...tables, ...more].join('\n')
}

function rowsOf({ base, theirs, mine, hidden }: Conflict): Row[] {
  if (hidden !== undefined) return [['', hidden, hidden, whole(mine)]]
  if (theirs === null || mine === null) return [['', whole(base), whole(theirs), whole(mine)]]
  const itemKeys = itemKeysOf(mine.type)
  if (base === null)
    return diffValues(theirs, mine, itemKeys).map(({ path, before, after }): Row => {
      return [printableText(path), 'none', valueText(before), valueText(after)]
    })
  const [theirMoves, myMoves] = [theirs, mine].map(
    (after) => new Map(diffValues(base, after, itemKeys).map((change) => [change.path, change])),
  ) as [Map<string, ValueChange>, Map<string, ValueChange>]
  return [...new Set([...theirMoves.keys(), ...myMoves.keys()])].sort().map((path): Row => {
    const [their, my] = [theirMoves.get(path), myMoves.get(path)]
    const before = (their ?? my)!.before
    const after = (move: ValueChange | undefined): string =>
      valueText(move === undefined ? before : move.after)
    return [printableText(path), valueText(before), after(their), after(my)]
  })
}

/** A component that one side removed, without places to compare. */
function whole(component: Component | null): string {
  if (component === null) return 'none'
  if (component.type !== 'config_entry') return valueText(component.label)
  const { values, effectiveFrom, effectiveTo } = component.body
  const named = Object.entries(values).map(([field, value]) => `${field} ${valueText(value)}`)
  const days = effectiveFrom === undefined ? [] : [`${effectiveFrom} to ${effectiveTo ?? 'open'}`]
  return valueText([...named, ...days].join(', '))
}

function valueText(value: unknown): string {
  if (value === undefined || value === null) return 'none'
  return printableText(typeof value === 'string' ? value : JSON.stringify(value), maxValueLength)
}
