// almanac remote add: adds another org to deploy to, and pins its lineage at first contact.
import type { RemoteColour, RemoteProof } from '#wire/remotes.ts'
import { UsageError } from '../fail.ts'
import { choiceOption, hasFlag, textOption } from '../options.ts'
import { promptSecret, secretFromStdin } from '../prompt-secret.ts'
import { remoteText } from '../remote-text.ts'
import type { Call, Run } from '../command-definition.ts'

const colours: readonly RemoteColour[] = ['grey', 'blue', 'green', 'amber', 'red', 'violet']

export const run: Run = async (call) => {
  const { terminal } = call
  const [key = ''] = call.args
  const url = textOption(call, 'url')
  if (url === undefined) throw new UsageError('Pass its URL: --url https://almanac.example.org.')
  const colour = choiceOption(call, 'colour', colours) ?? 'grey'
  const { engines, by } = await call.localOrg()
  const name = textOption(call, 'name') ?? key
  const remote = await engines.remotes.add(by, { key, name, url, colour, proof: await proofOf(call) })
  await terminal.data(remote)
  terminal.print(() => remoteText(remote, terminal))
}

/** Reads the credentials: a client and its secret, a user and their password, or a token. */
async function proofOf(call: Call): Promise<RemoteProof> {
  const [client, user] = [textOption(call, 'client'), textOption(call, 'user')]
  if (client !== undefined && user !== undefined)
    throw new UsageError('--client and --user cannot be combined.')
  const secret = (question: string): Promise<string> =>
    hasFlag(call, 'secretStdin')
      ? Promise.resolve(secretFromStdin())
      : promptSecret(question, '--secret-stdin')
  if (client !== undefined)
    return { kind: 'client', client, secret: await secret(`Secret for client ${client}: `) }
  if (user !== undefined) return { kind: 'password', user, password: await secret(`Password for ${user}: `) }
  return { kind: 'token', token: await secret('Token: ') }
}
