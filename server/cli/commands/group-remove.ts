// almanac group remove: deletes a group of users.
import type { Run } from '../command-definition.ts'

export const run: Run = async (call) => {
  const { terminal } = call
  const [key = ''] = call.args
  const { engines, by } = await call.localOrg()
  const members = await engines.access.deleteGroup(by, key)
  await terminal.data({ key, members })
  const of = members.length === 0 ? 'It had no members.' : `It had these members: ${members.join(', ')}.`
  terminal.print(`Group ${key} was deleted. ${of}`)
}
