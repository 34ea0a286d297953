// Merges three versions of one value: changes on one side are taken, changes on both sides are resolved one by one.
// Array items are identified by key, as in a value diff.
import { pointer } from '#kernel/components/pointer.ts'
import { isSameContent } from '#kernel/change/value-diff.ts'
import { keyOfItems, type ItemKeys } from '#kernel/components/item-keys.ts'

export type Side = 'base' | 'theirs' | 'mine'

/** Undefined if the place does not exist. */
export type Sides = Readonly<Record<Side, unknown>>

export interface ThreeWayRow {
  /** JSON pointer; an item of a keyed array is under its key. */
  path: string
  sides: Sides
  /** Who changed it since the base; both, if they changed it differently. */
  changedBy: 'theirs' | 'mine' | 'both'
}

export interface ThreeWayMerge {
  rows: ThreeWayRow[]
  /** The value with the choices; undefined if nothing is left. A conflict without a choice gets their value. */
  value: unknown
}

type Picks = ReadonlyMap<string, Side>

export function mergeThreeWay(sides: Sides, itemKeys: ItemKeys, picks: Picks = new Map()): ThreeWayMerge {
  const rows: ThreeWayRow[] = []
  const value = new ThreeWayMerger(itemKeys, picks, rows).at(sides, [], [])
  return { rows, value }
}

/** The rows that still need a decision. */
export function undecidedRows(rows: readonly ThreeWayRow[], picks: Picks): ThreeWayRow[] {
  return rows.filter(({ changedBy, path }) => changedBy === 'both' && !picks.has(path))
}

class ThreeWayMerger {
  readonly #itemKeys: ItemKeys
  readonly #picks: Picks
  readonly #rows: ThreeWayRow[]

  constructor(itemKeys: ItemKeys, picks: Picks, rows: ThreeWayRow[]) {
    this.#itemKeys = itemKeys
    this.#picks = picks
    this.#rows = rows
  }

  at(sides: Sides, place: readonly string[], pattern: readonly string[]): unknown {
    const { base, theirs, mine } = sides
    if (isSameContent(theirs, mine)) return mine
    if (isRecord(theirs) && isRecord(mine)) {
      const inBase = isRecord(base) ? base : {}
      const names = new Set([...Object.keys(theirs), ...Object.keys(mine), ...Object.keys(inBase)])
      const entries = [...names].map((name): [string, unknown] => [
        name,
        this.at(
          { base: own(inBase, name), theirs: own(theirs, name), mine: own(mine, name) },
          [...place, name],
          [...pattern, name],
        ),
      ])
      return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
    }
    const key = keyOfItems(pattern, this.#itemKeys)
    if (Array.isArray(theirs) && Array.isArray(mine) && key !== null) {
      const maps = [Array.isArray(base) ? base : [], theirs, mine].map((items) => byKey(items, key))
      const [inBase, inTheirs, inMine] = maps
      if (inBase && inTheirs && inMine)
        return order(inBase, inTheirs, inMine).flatMap((name) => {
          const item = { base: inBase.get(name), theirs: inTheirs.get(name), mine: inMine.get(name) }
          const value = this.at(item, [...place, name], [...pattern, '*'])
          return value === undefined ? [] : [value]
        })
    }
    return this.#leaf(sides, pointer(...place))
  }

  #leaf(sides: Sides, path: string): unknown {
    const by = isSameContent(sides.base, sides.theirs)
      ? 'mine'
      : isSameContent(sides.base, sides.mine)
        ? 'theirs'
        : 'both'
    this.#rows.push({ path, sides, changedBy: by })
    return sides[this.#picks.get(path) ?? (by === 'mine' ? 'mine' : 'theirs')]
  }
}

/** The order of the side that moved items, with the additions of either side. */
function order(...[base, theirs, mine]: ReadonlyMap<string, unknown>[]): string[] {
  const theirNames = [...theirs!.keys()]
  const moved = !isSameContent([...base!.keys()], theirNames)
  const first = moved ? theirNames : [...mine!.keys()]
  return [...new Set([...first, ...theirNames, ...mine!.keys()])]
}

/** Null if an item has no such key, or two have the same. */
function byKey(items: readonly unknown[], key: string): Map<string, unknown> | null {
  const map = new Map<string, unknown>()
  for (const item of items) {
    const name = isRecord(item) ? own(item, key) : undefined
    if (typeof name !== 'string' || map.has(name)) return null
    map.set(name, item)
  }
  return map
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function own(record: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(record, name) ? record[name] : undefined
}
