// almanac withdraw: withdraws the user's own change request.
import { textOption } from '../options.ts'
import { printRequest } from '../print-request.ts'
import type { Run } from '../command-definition.ts'

export const run: Run = async (call) => {
  const { requests } = await call.org()
  await printRequest(call, await requests.withdraw(call.args[0]!, textOption(call, 'reason') ?? ''))
}
