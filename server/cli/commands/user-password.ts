// almanac user password: sets a new password for a person and ends their sessions and tokens.
import { hasFlag } from '../options.ts'
import { promptNewPassword, secretFromStdin } from '../prompt-secret.ts'
import type { Run } from '../command-definition.ts'

export const run: Run = async (call) => {
  const { terminal } = call
  const [key = ''] = call.args
  const { engines, by, org } = await call.localOrg()
  const before = org.store.read((reader) => reader.people.user(key))
  const password = hasFlag(call, 'passwordStdin') ? secretFromStdin() : await promptNewPassword(key)
  await engines.access.setPassword(by, key, password)
  await terminal.data({ key, password: 'set' })
  terminal.print(`${before?.name ?? key} has a new password and was signed out everywhere.`)
}
