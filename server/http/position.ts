// The position of an org and its records: a response carries the one that it reflects, and a request that sends it back
// reads at least that state, in any process of the org.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { createCursorSeal, type CursorSeal } from '../records/index.ts'
import type { Services } from './services.ts'

export const positionHeader = 'X-Almanac-Position'

export interface Positions {
  /** The position that this process has reached, at least, or exactly after a write. */
  current(effect: 'reads' | 'writes'): string
  /**
   * Refuses a position that this process has not reached. The org must have been refreshed.
   * @throws AlmanacError `request.malformed`, `storage.behind`
   */
  require(sent: string): Promise<void>
}

type Parts = Pick<Services, 'org' | 'records' | 'cursorKey' | 'turns'>

/** What the seal of a position belongs to. */
const purpose = 'position'

export function createPositions({ org, records, cursorKey, turns }: Parts): Positions {
  // The numbers of writes would reveal how much the caller cannot see.
  const seal = createCursorSeal(cursorKey, { isStable: true })
  let last: { place: readonly [number, number]; text: string } | null = null
  const current: Positions['current'] = (effect) => {
    const reached = effect === 'reads' ? turns.current().position : org.position()
    const place = [reached, records.observed()] as const
    if (last === null || last.place[0] !== place[0] || last.place[1] !== place[1])
      last = { place, text: seal.seal(purpose, place) }
    return last.text
  }
  return {
    current,
    require: async (sent) => {
      if (sent === last?.text) return
      const [orgPosition, recordPosition] = opened(seal, sent)
      const isBehind =
        orgPosition > org.position() ||
        (recordPosition > records.observed() && recordPosition > (await records.position()))
      if (isBehind)
        throw new AlmanacError(
          'storage.behind',
          'This server has not yet seen the write that the position names. Send the request again.',
          { retryAfter: 1 },
        )
    },
  }
}

function opened(seal: CursorSeal, sent: string): [number, number] {
  try {
    return seal.open(purpose, sent) as [number, number]
  } catch {
    throw new AlmanacError(
      'request.malformed',
      `${positionHeader}: send a position that a response of this org has carried, unchanged.`,
    )
  }
}
