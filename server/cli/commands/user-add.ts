// almanac user add: adds a person or an integration user, without a default password.
import { hasFlag, listOption, textOption } from '../options.ts'
import { promptNewPassword, secretFromStdin } from '../prompt-secret.ts'
import type { Run } from '../command-definition.ts'

export const run: Run = async (call) => {
  const { terminal } = call
  const [key = ''] = call.args
  const { engines, by } = await call.localOrg()
  const password = hasFlag(call, 'passwordStdin')
    ? secretFromStdin()
    : hasFlag(call, 'password')
      ? await promptNewPassword(key)
      : undefined
  const user = await engines.access.addUser(by, {
    key,
    name: textOption(call, 'name') ?? key,
    permissionSets: listOption(call, 'permissionSet'),
    groups: listOption(call, 'group'),
    ...(textOption(call, 'locale') === undefined ? {} : { locale: textOption(call, 'locale')! }),
    ...(password === undefined ? {} : { password }),
  })
  const { passwordHash, ...shown } = user
  await terminal.data({ ...shown, password: passwordHash === null ? 'none' : 'set' })
  terminal.print(`${user.name} was added as ${key}${password === undefined ? ', without a password' : ''}.`)
}
