// The time of the machine. The org's day is the UTC day, so that two machines never disagree on it.
import type { Clock } from '../ports/clock.ts'

export const systemClock: Clock = {
  now: () => new Date().toISOString(),
  today: () => new Date().toISOString().slice(0, 10),
}
