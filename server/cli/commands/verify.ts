// almanac verify: verifies an evidence bundle without an org; exits 1 if one byte differs.
import { verifyBundle } from '#kernel/evidence/index.ts'
import { readBytes } from '../../files/index.ts'
import { exitCodes } from '../fail.ts'
import { textOption } from '../options.ts'
import type { Run } from '../command-definition.ts'
import { plainValue } from './evaluate.ts'

export const run: Run = async (call) => {
  const { terminal } = call
  const { paint } = terminal
  const expectedKey = textOption(call, 'key')
  const verified = verifyBundle(readBytes(call.args[0]!), expectedKey === undefined ? {} : { expectedKey })
  if (!verified.ok) {
    await terminal.data(verified)
    terminal.print(paint.red('The bundle is not valid.'))
    for (const reason of verified.reasons) terminal.print(`  ${reason}`)
    return exitCodes.failed
  }
  const { value, type, fingerprint, publicKey, bundle } = verified
  await terminal.data({
    ok: true,
    value,
    type,
    fingerprint,
    publicKey,
    org: bundle.org,
    expression: bundle.result.expression,
    binding: bundle.result.binding,
  })
  terminal.print(
    `${paint.green('The bundle is valid.')} ${bundle.result.expression} = ${paint.bold(plainValue(value))}`,
  )
  terminal.print(
    `  ${bundle.org.name} (${bundle.org.environment}), generation ${bundle.generation.generation} of ${bundle.generation.at.slice(0, 10)}, as of ${bundle.result.binding.asOf ?? 'no date'}`,
  )
  terminal.print(
    `  signed by ${fingerprint}${expectedKey === undefined ? '; compare it with the fingerprint from the operator of the org, or pass that as --key' : ''}`,
  )
}
