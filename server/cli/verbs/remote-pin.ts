// almanac remote pin: trust the org that is at a remote's address now (completions 4).
import { UsageError } from '../fail.ts'
import { text } from '../options.ts'
import { remoteText } from '../remote-text.ts'
import type { Run } from '../verb.ts'

export const run: Run = async (call) => {
  const [key = ''] = call.args
  const lineage = text(call, 'lineage')
  if (lineage === undefined)
    throw new UsageError(`Say which org you mean: --lineage, as "almanac remote test ${key}" tells it.`)
  const { engines, by } = await call.localOrg()
  const remote = await engines.remotes.pin(by, key, lineage)
  await call.terminal.data(remote)
  call.terminal.print(() => remoteText(remote, call.terminal))
}
