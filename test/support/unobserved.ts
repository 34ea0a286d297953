// An observer of callouts that does nothing.
import type { CalloutsDeps } from '../../server/callouts/index.ts'

const nothing = (): undefined => undefined

export const unobserved: CalloutsDeps['observer'] = {
  ...{ onAttempt: nothing, onWithheld: nothing, onExecuted: nothing, onTransition: nothing },
}
