// almanac group set: adds or changes a group of users and the permission sets that its members hold.
import { UsageError } from '../fail.ts'
import { hasFlag, listOption, textOption } from '../options.ts'
import type { Run } from '../command-definition.ts'

export const run: Run = async (call) => {
  const { terminal } = call
  const [key = ''] = call.args
  const sets = listOption(call, 'permissionSet')
  const none = hasFlag(call, 'withoutPermissionSets')
  if (none && sets.length > 0)
    throw new UsageError('Pass --permission-set or --without-permission-sets, not both.')
  const { engines, by, org } = await call.localOrg()
  const before = org.store.read((reader) => reader.people.group(key))
  const group = await engines.access.putGroup(by, {
    key,
    name: textOption(call, 'name') ?? before?.name ?? key,
    ...(none || sets.length > 0 ? { permissionSets: sets } : {}),
  })
  await terminal.data(group)
  const held = group.permissionSets.length === 0 ? 'no permission set' : group.permissionSets.join(', ')
  terminal.print(`Members of ${group.name} (${key}) hold ${held}.`)
}
