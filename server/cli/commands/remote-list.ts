// almanac remote list: lists the remotes of an org and the result of the last contact.
import { remotesText } from '../remote-text.ts'
import type { Run } from '../command-definition.ts'

export const run: Run = async (call) => {
  const { engines, by } = await call.localOrg()
  const remotes = engines.remotes.list(by)
  await call.terminal.data({ remotes })
  call.terminal.print(() => remotesText(remotes, call.terminal))
}
