// almanac token: creates a bearer token for a registered client. Anyone who can write the folder of the org is its
// operator; --as needs access.manage or operations.manage for a client that runs as another user.
import { textOption } from '../options.ts'
import type { Run } from '../command-definition.ts'

export const run: Run = async (call) => {
  const { terminal } = call
  const client = textOption(call, 'client') ?? 'local'
  const { token, expiresAt } = await (await call.localOrg()).token(client)
  await terminal.data({ token, client, expiresAt })
  terminal.print(token)
}
