// almanac withdraw: withdraws the user's own change request (completions 4).
import { text } from '../options.ts'
import { sayRequest } from '../say-request.ts'
import type { Run } from '../verb.ts'

export const run: Run = async (call) => {
  const { requests } = await call.org()
  await sayRequest(call, await requests.withdraw(call.args[0]!, text(call, 'reason') ?? ''))
}
