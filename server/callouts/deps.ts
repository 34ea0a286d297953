// What the executor of callouts is given.
import type { CalloutAuthentication, CalloutGrants } from '../ports/callout-authentication.ts'
import type { CalloutLimits } from '../ports/callout-limits.ts'
import type { CalloutTransport } from '../ports/callout-transport.ts'
import type { Clock, IdGenerator } from '../ports/clock.ts'
import type { Randomness } from '../ports/randomness.ts'
import type { Timer } from '../ports/timer.ts'
import type { BreakerTransition } from './breaker.ts'

export interface CalloutsDeps {
  transport: CalloutTransport
  limits: CalloutLimits
  grants: CalloutGrants
  authentication: CalloutAuthentication
  clock: Clock
  timer: Timer
  ids: IdGenerator
  random: Randomness
  /** Reports each change of a breaker once, from the process that made it. */
  onTransition(credential: string, transition: BreakerTransition): void
}
