// almanac user set: changes the name, permission sets and groups of a user; omitted properties are unchanged.
import type { UserChange } from '../../access/index.ts'
import { redactUser } from '../../access/index.ts'
import { UsageError } from '../fail.ts'
import { hasFlag, listOption, choiceOption, textOption } from '../options.ts'
import type { Call, Run } from '../command-definition.ts'

export const run: Run = async (call) => {
  const { terminal } = call
  const [key = ''] = call.args
  const change = changeOf(call)
  const { engines, by } = await call.localOrg()
  const user = redactUser(await engines.access.changeUser(by, key, change))
  await terminal.data(user)
  const held = user.permissionSets.length === 0 ? 'no permission sets' : user.permissionSets.join(', ')
  terminal.print(`${user.name} (${key}) has ${held}${user.active ? '' : ' and is not active'}.`)
}

/** @throws UsageError if there is nothing to change */
function changeOf(call: Call): UserChange {
  const [sets, groups] = [listOption(call, 'permissionSet'), listOption(call, 'group')]
  if (hasFlag(call, 'withoutPermissionSets') && sets.length > 0)
    throw new UsageError('Pass --permission-set or --without-permission-sets, not both.')
  const active = choiceOption(call, 'active', ['yes', 'no'])
  const change: UserChange = {
    ...(textOption(call, 'name') === undefined ? {} : { name: textOption(call, 'name')! }),
    ...(textOption(call, 'locale') === undefined ? {} : { locale: textOption(call, 'locale')! }),
    ...(active === undefined ? {} : { active: active === 'yes' }),
    ...(sets.length > 0 || hasFlag(call, 'withoutPermissionSets')
      ? { permissionSets: [...new Set(sets)] }
      : {}),
    ...(groups.length === 0 ? {} : { groups: [...new Set(groups)] }),
  }
  if (Object.keys(change).length === 0)
    throw new UsageError('Specify at least one change, such as --permission-set <key>.')
  return change
}
