// almanac remote pin: trusts the org that is now at the URL of a remote.
import { UsageError } from '../fail.ts'
import { textOption } from '../options.ts'
import { remoteText } from '../remote-text.ts'
import type { Run } from '../command-definition.ts'

export const run: Run = async (call) => {
  const [key = ''] = call.args
  const lineage = textOption(call, 'lineage')
  if (lineage === undefined)
    throw new UsageError(
      `Pass the lineage that you expect: --lineage <uuid>, as "almanac remote test ${key}" shows it.`,
    )
  const { engines, by } = await call.localOrg()
  const remote = await engines.remotes.pin(by, key, lineage)
  await call.terminal.data(remote)
  call.terminal.print(() => remoteText(remote, call.terminal))
}
