// almanac reject: rejects a change request with a reason (completions 4).
import { UsageError } from '../fail.ts'
import { text } from '../options.ts'
import { sayRequest } from '../say-request.ts'
import type { Run } from '../verb.ts'

export const run: Run = async (call) => {
  const reason = text(call, 'reason')?.trim() ?? ''
  if (reason === '') throw new UsageError('Give a reason: --reason <text>.')
  await sayRequest(call, await (await call.org()).requests.reject(call.args[0]!, reason))
}
