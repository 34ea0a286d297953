// almanac approve: approves a change request with exactly this digest.
import { UsageError } from '../fail.ts'
import { textOption } from '../options.ts'
import { printRequest } from '../print-request.ts'
import type { Run } from '../command-definition.ts'

export const run: Run = async (call) => {
  const digest = textOption(call, 'digest')
  if (digest === undefined)
    throw new UsageError(
      'Pass the digest that you reviewed: --digest <digest>, as "requests show" prints it.',
    )
  const { requests } = await call.org()
  await printRequest(call, await requests.approve(call.args[0]!, digest, textOption(call, 'comment') ?? ''))
}
