// What the requests of one turn of the event loop share. A turn begins with what has arrived, so what is read in it is newer
// than every write that was acknowledged before a request of the turn was sent.
import { setImmediate } from 'node:timers'
import type { Clock } from '../ports/clock.ts'
import type { OrgStore } from '../ports/org-store.ts'

export interface Turn {
  /** The active generation as it is stored. */
  readonly generation: number
  readonly position: number
  /** Milliseconds since 1970. */
  readonly now: number
}

/** Returns the turn that is running; the same object for all of its requests. */
export type Turns = () => Turn

/** @param atEnd calls back at the end of the running turn */
export function createTurns(
  store: Pick<OrgStore, 'read' | 'position'>,
  clock: Clock,
  atEnd: (end: () => void) => unknown = setImmediate,
): Turns {
  let running: Turn | null = null
  return () => {
    if (running !== null) return running
    running = store.read((reader) => ({
      generation: reader.generations.active(),
      position: store.position(),
      now: Date.parse(clock.now()),
    }))
    atEnd(() => (running = null))
    return running
  }
}
