// almanac remote remove: removes a remote and its secret; nothing changes in the remote org.
import type { Run } from '../command-definition.ts'

export const run: Run = async (call) => {
  const [key = ''] = call.args
  const { engines, by } = await call.localOrg()
  const { name } = engines.remotes.get(by, key)
  await engines.remotes.remove(by, key)
  await call.terminal.data({ key, removed: true })
  call.terminal.print(`The remote ${name} and its secret were removed.`)
}
