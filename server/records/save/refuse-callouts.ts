// Outgoing calls, which this version does not make.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { ActionProgram } from '#kernel/records/index.ts'

/** Nothing of an automation runs if it cannot run whole. @throws AlmanacError `integration.unavailable` */
export function refuseCallouts({ key, actions }: { key: string; actions: readonly ActionProgram[] }): void {
  const callout = actions.find(({ action }) => action.type === 'callout')
  if (callout === undefined) return
  throw new AlmanacError(
    'integration.unavailable',
    `${key} makes an outgoing call (action ${callout.action.key}), which this version does not make yet.`,
  )
}
