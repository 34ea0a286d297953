// almanac reject: rejects a change request with a reason.
import { UsageError } from '../fail.ts'
import { textOption } from '../options.ts'
import { printRequest } from '../print-request.ts'
import type { Run } from '../command-definition.ts'

export const run: Run = async (call) => {
  const reason = textOption(call, 'reason')?.trim() ?? ''
  if (reason === '') throw new UsageError('Pass a reason: --reason <text>.')
  await printRequest(call, await (await call.org()).requests.reject(call.args[0]!, reason))
}
