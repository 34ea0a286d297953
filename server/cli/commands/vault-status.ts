// almanac vault status: the key of the vault, how many values it contains, and which of them do not open.
import { tableText } from '../table.ts'
import { countText } from '../terminal.ts'
import type { Run } from '../command-definition.ts'

export const run: Run = async (call) => {
  const { terminal } = call
  const vault = await (await call.org()).credentials.vault()
  await terminal.data(vault)
  terminal.print(() => {
    const lines = vault.keys.map(
      ({ id, service, wrappedBy, createdAt }) =>
        `${id} of ${createdAt.slice(0, 10)}, wrapped by the ${service} (${wrappedBy})`,
    )
    const rows = vault.unopened.map(({ credential, principal, user, name }) => [
      ...[credential, principal, user ?? '', name],
    ])
    return [
      vault.state === 'empty'
        ? 'The vault is empty.'
        : `The vault is ${vault.state}. ${vault.reason ?? ''}`.trim(),
      ...lines,
      countText(vault.values, 'value'),
      ...(rows.length === 0
        ? []
        : [
            'These do not open. Write them again:',
            tableText(terminal, ['credential', 'principal', 'user', 'name'], rows),
          ]),
    ].join('\n')
  })
  return vault.state === 'locked' || vault.unopened.length > 0 ? 1 : 0
}
