// almanac check: whether the org in a folder is as Almanac wrote it; exits 1 if it is not.
import { checkFolder } from '../../compose-check.ts'
import { isAddress } from '../address.ts'
import { exitCodes, UsageError } from '../fail.ts'
import { findingsText } from '../findings-text.ts'
import type { Run } from '../verb.ts'

export const run: Run = async (call) => {
  const { terminal } = call
  const dir = call.orgPlace ?? '.'
  if (isAddress(dir)) throw new UsageError(`This works on the folder of an org; ${dir} is an address.`)
  const { ok, findings } = checkFolder(dir)
  await terminal.data({ ok, findings })
  if (findings.length > 0) terminal.print(() => findingsText(findings, terminal))
  terminal.print(
    ok ? terminal.paint.green('The org is as Almanac wrote it.') : terminal.paint.red('The org is damaged.'),
  )
  return ok ? 0 : exitCodes.failed
}
