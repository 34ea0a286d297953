// The clock of an org: the machine's, but never behind what the org has seen, so that what has expired stays expired.
import type { Clock } from '../ports/clock.ts'
import type { OrgStore } from '../ports/org-store.ts'

export interface OrgClockDeps {
  machine: Clock
  store: Pick<OrgStore, 'read'>
  /** Milliseconds that grow steadily, regardless of changes to the machine's clock. */
  elapsed: () => number
}

/** How long the latest time that was read is used, in milliseconds: a save asks for the time again and again. */
const knownMs = 50

/** Corrections of the machine's clock by less than this are followed, in milliseconds. */
const toleranceMs = 1000

export function orgClock({ machine, store, elapsed }: OrgClockDeps): Clock {
  let last = { time: 0, elapsed: 0 }
  let known = { time: 0, until: -Infinity }
  const storedTime = (at: number): number => {
    if (at >= known.until) {
      const time = Date.parse(store.read((reader) => reader.properties.latestTime())) || 0
      known = { time, until: at + knownMs }
    }
    return known.time
  }
  const now = (): number => {
    const at = elapsed()
    const stored = storedTime(at)
    // The latest time of another process is used too.
    if (stored > last.time) last = { time: stored, elapsed: at }
    const own = Date.parse(machine.now())
    // The org's time continues while the machine's clock is behind, so that a session can expire.
    const time = own < last.time - toleranceMs ? last.time + (at - last.elapsed) : Math.max(own, last.time)
    last = { time, elapsed: at }
    return Math.floor(time)
  }
  return {
    now: () => new Date(now()).toISOString(),
    today: () => {
      const time = now()
      return Date.parse(machine.now()) < time - toleranceMs
        ? new Date(time).toISOString().slice(0, 10)
        : machine.today()
    },
  }
}

/** A store that saves the latest time with each write. */
export function timeRecordingStore(store: OrgStore, clock: Pick<Clock, 'now'>): OrgStore {
  return {
    read: (work) => store.read(work),
    write: (work) =>
      store.write((transactor) => {
        const result = work(transactor)
        transactor.properties.recordTime(clock.now())
        return result
      }),
    position: () => store.position(),
    probe: () => store.probe(),
    verifyActive: () => store.verifyActive(),
    checkIntegrity: () => store.checkIntegrity(),
    close: () => store.close(),
  }
}
