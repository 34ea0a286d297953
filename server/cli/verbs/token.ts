// almanac token: a bearer token of a registered client; whoever can write the org's folder is its operator,
// and --as needs access.manage or operations.manage for a client that runs as somebody else (completions 7).
import { text } from '../options.ts'
import type { Run } from '../verb.ts'

export const run: Run = async (call) => {
  const { terminal } = call
  const client = text(call, 'client') ?? 'local'
  const { token, expiresAt } = await (await call.localOrg()).token(client)
  await terminal.data({ token, client, expiresAt })
  terminal.print(token)
}
