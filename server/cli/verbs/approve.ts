// almanac approve: the change list of this digest, and no other (completions 4).
import { UsageError } from '../fail.ts'
import { text } from '../options.ts'
import { sayRequest } from '../say-request.ts'
import type { Run } from '../verb.ts'

export const run: Run = async (call) => {
  const digest = text(call, 'digest')
  if (digest === undefined)
    throw new UsageError('Say what you looked at: --digest <digest>, as "requests show" prints it.')
  const { requests } = await call.org()
  await sayRequest(call, await requests.approve(call.args[0]!, digest, text(call, 'comment') ?? ''))
}
