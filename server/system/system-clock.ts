// The time of the machine. The org's day is the UTC day, so that two machines never disagree on it.
import type { MachineClock } from '../ports/clock.ts'

export const systemClock: MachineClock = {
  epochMs: Date.now,
  now: () => new Date().toISOString(),
  today: () => new Date().toISOString().slice(0, 10),
}
