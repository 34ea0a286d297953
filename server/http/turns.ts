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

export interface Turns {
  /** Called when a request arrives, before anything is awaited. Requests that arrived together share the turn. */
  open(): Turn
  /**
   * The turn that is running, or what is stored now. This is not kept: the turn of a response can begin before the next
   * requests arrive, and would be older than a write that they have seen.
   */
  current(): Turn
}

/** @param atEnd calls back at the end of the running turn, before further requests arrive */
export function createTurns(
  store: Pick<OrgStore, 'read' | 'position'>,
  clock: Clock,
  atEnd: (end: () => void) => unknown = setImmediate,
): Turns {
  let running: Turn | null = null
  const read = (): Turn =>
    store.read((reader) => ({
      generation: reader.generations.active(),
      position: store.position(),
      now: Date.parse(clock.now()),
    }))
  return {
    open: () => {
      if (running !== null) return running
      running = read()
      atEnd(() => (running = null))
      return running
    },
    current: () => running ?? read(),
  }
}
