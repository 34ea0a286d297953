// The position of an org and its records: a response carries the one that it reflects, and a request that sends it back
// reads at least that state, in any process of the org.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { createCursorSeal, type CursorSeal } from '../records/index.ts'
import type { Services } from './services.ts'

export const positionHeader = 'X-Almanac-Position'

export interface Positions {
  /**
   * The position that this process has reached.
   * @param org its position, if it was just read
   */
  current(org?: number): string
  /**
   * Refuses a position that this process has not reached. The org must have been refreshed.
   * @throws AlmanacError `request.malformed`, `storage.behind`
   */
  require(sent: string | undefined): Promise<void> | undefined
}

type Parts = Pick<Services, 'org' | 'records' | 'cursorKey'>

/** What the seal of a position belongs to. */
const purpose = 'position'

export function createPositions({ org, records, cursorKey }: Parts): Positions {
  // The numbers of writes would reveal how much the caller cannot see.
  const seal = createCursorSeal(cursorKey, { isStable: true })
  let last: { place: readonly [number, number]; text: string } | null = null
  const current = (position = org.position()): string => {
    const observed = records.observed()
    if (last === null || last.place[0] !== position || last.place[1] !== observed) {
      const place = [position, observed] as const
      last = { place, text: seal.seal(purpose, place) }
    }
    return last.text
  }
  const requireReached = async (sent: string): Promise<void> => {
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
  }
  return {
    current,
    require: (sent) => (sent === undefined || sent === last?.text ? undefined : requireReached(sent)),
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
