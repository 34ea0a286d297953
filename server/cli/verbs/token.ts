// almanac token: a bearer token of a registered client; whoever can write the org's folder is its operator (completions 7).
import { text } from '../options.ts'
import type { Run } from '../verb.ts'

export const run: Run = async (call) => {
  const { terminal } = call
  const client = text(call, 'client') ?? 'local'
  const { engines, by } = await call.localOrg()
  const { token, expiresAt } = await engines.access.issueToken(by, client)
  terminal.data({ token, client, expiresAt })
  terminal.print(token)
}
