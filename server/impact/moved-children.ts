// The children that computed references move to different parents: found once for an impact, a page at a time, when a roll-up
// needs them.
import type { FieldId, ObjectId, Shape } from '#kernel/records/index.ts'
import type { RecordReader, StoredRecord } from '../ports/record-store.ts'
import { recomputing, type MovedChildren, type RecomputeRequest } from '../records/index.ts'

/** Moved children of one reference that are kept. Roll-ups through a reference that moves more are not compared. */
const maxMoved = 200_000

/** Children that are read at once. */
const pageSize = 200

/** Why records are not compared, by the places of a recompute. */
export type Omissions = Map<string, Omission>
type Omission = 'hidden' | 'unfollowed'

/** The children that a reference moves by their new parents, or why roll-ups through it are not compared. */
export type Move = ReadonlyMap<string, readonly string[]> | Omission

/** What was found for the impact that was requested last, so that its parts share it. */
export class MoveMemory {
  #of = ''
  #moves = new Map<string, Move>()

  ofImpact(of: string, isFirstPart: boolean): Map<string, Move> {
    if (isFirstPart || this.#of !== of) this.#moves = new Map()
    this.#of = of
    return this.#moves
  }
}

export interface MoveSearch {
  reader: RecordReader
  /** Which of the two recomputes of an impact. */
  side: string
  request: Pick<RecomputeRequest, 'snapshot' | 'scopePath'> & Required<Pick<RecomputeRequest, 'follows'>>
  /** What is known; receives what is found. */
  moves: Map<string, Move>
  /** Whether the value that was computed last is hidden from the reader of the impact. */
  isHidden(shape: Shape): boolean
  maxMoved?: number
}

/** A recompute of an object whose roll-ups have the children that computed references lead to. */
export function followingMoves(
  search: MoveSearch,
  object: ObjectId,
  omissions: Omissions,
): (records: readonly StoredRecord[]) => Promise<Shape[]> {
  return withMoves(search, { object }, omissions, new Set())
}

/** @param running the searches for which this recompute is made */
function withMoves(
  search: MoveSearch,
  request: Pick<RecomputeRequest, 'object' | 'fields'>,
  omissions: Omissions,
  running: ReadonlySet<string>,
): (records: readonly StoredRecord[]) => Promise<Shape[]> {
  const { reader, side, moves, isHidden } = search
  const movedChildren = async (child: ObjectId, via: FieldId): Promise<MovedChildren> => {
    const place = `${side} ${child} ${via}`
    let move = moves.get(place)
    // References that decide where they lead themselves are followed as they are stored.
    if (move === undefined && !running.has(place))
      moves.set(place, (move = await findMove(search, child, via, new Set([...running, place]))))
    if (typeof move === 'string') omissions.set(place, move)
    return { place, to: (parent) => (typeof move === 'object' ? (move.get(parent) ?? []) : []) }
  }
  return recomputing(reader, { ...search.request, ...request, movedChildren }, (place, shape, followed) => {
    const omission = isHidden(shape) ? 'hidden' : omissionOf(followed, omissions)
    if (omission !== undefined) omissions.set(place, omission)
  })
}

function omissionOf(places: Iterable<string>, omissions: Omissions): Omission | undefined {
  if (omissions.size === 0) return undefined
  let found: Omission | undefined
  for (const place of places) {
    const omission = omissions.get(place)
    if (omission === 'hidden') return omission
    found ??= omission
  }
  return found
}

/** One child that is not compared is enough for a reason: where it does not move could be read from the others. */
async function findMove(
  search: MoveSearch,
  child: ObjectId,
  via: FieldId,
  running: ReadonlySet<string>,
): Promise<Move> {
  const { reader } = search
  const omissions: Omissions = new Map()
  const shapesOf = withMoves(search, { object: child, fields: new Set([via]) }, omissions, running)
  const found = new Map<string, string[]>()
  let count = 0
  for (let after: string | null = null; ;) {
    const records: StoredRecord[] = await reader.page(child, after, pageSize)
    for (const [at, { values }] of (await shapesOf(records)).entries()) {
      const { id, values: stored } = records[at]!
      const parent = values.get(via)
      if (typeof parent !== 'string' || parent === stored.get(via)) continue
      count += 1
      const ids = found.get(parent)
      if (ids === undefined) found.set(parent, [id])
      else ids.push(id)
    }
    const omission = omissionOf(omissions.keys(), omissions)
    if (omission !== undefined) return omission
    if (count > (search.maxMoved ?? maxMoved)) return 'unfollowed'
    if (records.length < pageSize) return found
    after = records.at(-1)!.id
  }
}
