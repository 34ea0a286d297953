// What a test sends to a remote, and how it reads the replies. Without a server, so that a browser test, which starts its
// servers from the bundle, does not load the sources of one.
import type { NewRemote } from '#wire/remotes.ts'
import type { StartOptions } from '../../server/index.ts'
import type { Answer, TestServer } from './running-server.ts'

/** Retries without pauses, so that a test of a failing peer is short. */
export const impatient: NonNullable<StartOptions['remoteTerms']> = {
  limits: { connectMs: 5000, responseMs: 15_000, chunkMs: 15_000, bodyMs: 30_000, bytes: 4 * 1024 * 1024 },
  workMs: 20_000,
  retries: [10, 20],
  followMs: 50,
}

export const operator = { actor: 'admin', correlationId: 'test', isOperator: true }

/** A secret of the client `local`, which runs as the administrator there. */
export async function clientSecret(there: TestServer): Promise<string> {
  const { body } = await there.studio<{ clientSecret: string }>('POST', '/setup/v3/clients/local/secrets')
  return body.clientSecret
}

export function newRemote(url: string, secret: string): NewRemote {
  return {
    key: 'there',
    name: 'There',
    url,
    colour: 'amber',
    proof: { kind: 'client', client: 'local', secret },
  }
}

/** @throws Error with the reply if it is a refusal */
export function done(answer: Answer): Answer {
  if (answer.status >= 300) throw new Error(`${answer.status} ${answer.text}`)
  return answer
}
