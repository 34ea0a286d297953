// almanac remote test: connects to a remote now, and shows who we are there.
import { remoteText } from '../remote-text.ts'
import type { Run } from '../command-definition.ts'

export const run: Run = async (call) => {
  const [key = ''] = call.args
  const { engines, by } = await call.localOrg()
  const remote = await engines.remotes.contact(by, key)
  await call.terminal.data(remote)
  call.terminal.print(() => remoteText(remote, call.terminal))
}
