// What the executor of callouts is given.
import type { CalloutAuthentication, CalloutGrants } from '../ports/callout-authentication.ts'
import type { CalloutLimits } from '../ports/callout-limits.ts'
import type { CalloutTransport } from '../ports/callout-transport.ts'
import type { Clock, IdGenerator } from '../ports/clock.ts'
import type { Randomness } from '../ports/randomness.ts'
import type { Timer } from '../ports/timer.ts'
import type { CalloutObserver } from './callout-observer.ts'

export interface CalloutsDeps {
  transport: CalloutTransport
  limits: CalloutLimits
  grants: CalloutGrants
  authentication: CalloutAuthentication
  clock: Clock
  timer: Timer
  ids: IdGenerator
  random: Randomness
  observer: CalloutObserver
}
