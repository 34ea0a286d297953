// almanac client secret: creates a client secret, or an API key, and shows it once.
import type { Run } from '../command-definition.ts'

export const run: Run = async (call) => {
  const { terminal } = call
  const result = await (await call.org()).clientSecret(call.args[0]!)
  await terminal.data(result)
  terminal.print(result.clientSecret)
  if (result.isRoot)
    terminal.note(`${result.client} bypasses all access checks, because its user holds platform.root.`)
  terminal.note(
    `The secret is shown only once. ${result.client} has ${result.valid === 1 ? 'one valid secret' : `${result.valid} valid secrets`}.`,
  )
}
