// almanac backup: copies an org to a new folder, even while a server runs, and verifies the copy.
import { backUpOrg } from '../../compose/backup.ts'
import { isAddress } from '../address.ts'
import { UsageError } from '../fail.ts'
import { findingsText } from '../findings-text.ts'
import type { Run } from '../command-definition.ts'

export const run: Run = async (call) => {
  const { terminal } = call
  const dir = call.orgPlace ?? '.'
  if (isAddress(dir)) throw new UsageError(`This command requires an org folder, but ${dir} is a URL.`)
  const report = await backUpOrg(dir, call.args[0]!)
  const { folder, generation, bytes, findings } = report
  await terminal.data(report)
  if (findings.length > 0) terminal.print(() => findingsText(findings, terminal))
  const size = `${Math.ceil(bytes / 1024).toLocaleString('en')} KiB`
  terminal.print(`Backed up generation ${generation} to ${folder} (${size}). The copy is intact.`)
}
