// almanac check: verifies the org in a folder; exits 1 if it is damaged.
import { checkFolder } from '../../compose/check.ts'
import { isAddress } from '../address.ts'
import { exitCodes, UsageError } from '../fail.ts'
import { findingsText } from '../findings-text.ts'
import type { Run } from '../command-definition.ts'

export const run: Run = async (call) => {
  const { terminal } = call
  const dir = call.orgPlace ?? '.'
  if (isAddress(dir)) throw new UsageError(`This command requires an org folder, but ${dir} is a URL.`)
  const { ok, findings } = checkFolder(dir)
  await terminal.data({ ok, findings })
  if (findings.length > 0) terminal.print(() => findingsText(findings, terminal))
  terminal.print(ok ? terminal.paint.green('The org is intact.') : terminal.paint.red('The org is damaged.'))
  return ok ? 0 : exitCodes.failed
}
