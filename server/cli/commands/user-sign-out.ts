// almanac user sign-out: ends all sessions and tokens of a user.
import { countText } from '../terminal.ts'
import type { Run } from '../command-definition.ts'

export const run: Run = async (call) => {
  const { terminal } = call
  const [key = ''] = call.args
  const { engines, by } = await call.localOrg()
  const ended = await engines.access.endSignInsOf(by, key)
  await terminal.data({ key, ended })
  terminal.print(`Ended ${countText(ended, 'session or token', 'sessions and tokens')} of ${key}.`)
}
