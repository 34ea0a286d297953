// The clock of an org: the machine's, but never behind what the org has seen, so that what has expired stays expired.
import type { Clock, MachineClock, OrgClock } from '../ports/clock.ts'
import type { OrgStore } from '../ports/org-store.ts'

export interface OrgClockDeps {
  machine: MachineClock
  store: Pick<OrgStore, 'read'>
  /** Milliseconds that grow steadily, regardless of changes to the machine's clock. */
  elapsed: () => number
}

/** How long the latest time that was read is used, in milliseconds: a save asks for the time again and again. */
const knownMs = 50

/** Corrections of the machine's clock by less than this are followed, in milliseconds. */
const toleranceMs = 1000

export function orgClock({ machine, store, elapsed }: OrgClockDeps): OrgClock {
  let last = { time: 0, elapsed: 0 }
  let known = { position: -1, time: 0, until: -Infinity }
  const read = (position: number, at: number): void => {
    const time = Date.parse(store.read((reader) => reader.properties.latestTime())) || 0
    known = { position, time, until: at + knownMs }
  }
  /** The time as it was written last: many ask within one millisecond. */
  let written = { ms: -1, text: '' }
  const timeAt = (position?: number): number => {
    const at = elapsed()
    // What was read at a position holds while the position is the same.
    if (position === undefined ? at >= known.until : position !== known.position) read(position ?? -1, at)
    const stored = known.time
    // The latest time of another process is used too.
    if (stored > last.time) last = { time: stored, elapsed: at }
    const own = machine.epochMs?.() ?? Date.parse(machine.now())
    // The org's time continues while the machine's clock is behind, so that a session can expire.
    const time = own < last.time - toleranceMs ? last.time + (at - last.elapsed) : Math.max(own, last.time)
    last = { time, elapsed: at }
    return Math.floor(time)
  }
  return {
    timeAt,
    now: () => {
      const ms = timeAt()
      if (ms !== written.ms) written = { ms, text: new Date(ms).toISOString() }
      return written.text
    },
    today: () => {
      const time = timeAt()
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
