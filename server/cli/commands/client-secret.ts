// almanac client secret: creates a client secret and shows it once.
import type { Run } from '../command-definition.ts'

export const run: Run = async (call) => {
  const { terminal } = call
  const made = await (await call.org()).clientSecret(call.args[0]!)
  await terminal.data(made)
  terminal.print(made.clientSecret)
  terminal.note(
    `The secret is shown only once. ${made.client} has ${made.valid === 1 ? 'one valid secret' : `${made.valid} valid secrets`}.`,
  )
}
