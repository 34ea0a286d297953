// almanac vault rewrap: encrypts every secret again with a new data key, in one transaction.
import { countText } from '../terminal.ts'
import type { Run } from '../command-definition.ts'

export const run: Run = async (call) => {
  const { terminal } = call
  const { credentials } = await call.org()
  const before = await credentials.vault()
  await credentials.renewVaultKey()
  const { keys, values } = await credentials.vault()
  await terminal.data({ keys, values, replaced: before.keys.map(({ id }) => id) })
  terminal.print(
    keys.length === 0
      ? 'The vault is empty, so nothing was changed.'
      : `${countText(values, 'value')} encrypted with the new data key ${keys[0]!.id}. The earlier key was destroyed.`,
  )
}
