// almanac remote remove: forgets a remote and its secret; nothing changes there.
import type { Run } from '../verb.ts'

export const run: Run = async (call) => {
  const [key = ''] = call.args
  const { engines, by } = await call.localOrg()
  const { name } = engines.remotes.get(by, key)
  await engines.remotes.remove(by, key)
  await call.terminal.data({ key, removed: true })
  call.terminal.print(`${name} is no remote any more, and its secret is forgotten.`)
}
