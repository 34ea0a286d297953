// Two real servers in one test: an org here and a remote org that it deploys to, with the user that this org has there.
import type { NewRemote, RemoteJob, RemoteView } from '#wire/remotes.ts'
import type { StartOptions } from '../../server/index.ts'
import { runningServer, type Answer, type Ask, type TestServer } from './running-server.ts'

/** Attempts that follow immediately, so that a test of a failing remote is short. */
export const impatient: NonNullable<StartOptions['remoteTerms']> = {
  limits: { connectMs: 5000, responseMs: 15_000, chunkMs: 15_000, bodyMs: 30_000, bytes: 4 * 1024 * 1024 },
  workMs: 20_000,
  retries: [10, 20],
  followMs: 50,
}

export const operator = { actor: 'admin', correlationId: 'test', operator: true }

/** A secret of the client `local`, which runs as the remote's administrator. */
export async function clientSecret(there: TestServer): Promise<string> {
  const { body } = await there.studio<{ clientSecret: string }>('POST', '/setup/v3/clients/local/secrets')
  return body.clientSecret
}

export interface TwoOrgs {
  here: TestServer
  there: TestServer
  secret: string
  /** The remote's path on the local server. */
  path: string
  /** Sends a request as the studio's administrator on the local server. */
  ask: Ask
  close(): Promise<void>
}

/** The remote has the key `there`; `environment` is the remote org's. */
export async function twoOrgs({
  environment = 'test',
  options = {},
}: { environment?: string; options?: Partial<StartOptions> } = {}): Promise<TwoOrgs> {
  const there = await runningServer()
  await there.beside(({ org }) =>
    org.write((transactor) => transactor.putProperties({ name: 'Kestrel There', environment })),
  )
  const here = await runningServer({ remoteTerms: impatient, ...options })
  const secret = await clientSecret(there)
  const added = await here.studio('POST', '/setup/v3/remotes', newRemote(there.url, secret))
  if (added.status !== 201) throw new Error(added.text)
  return {
    here,
    there,
    secret,
    path: '/setup/v3/remotes/there',
    ask: here.studio,
    close: async () => {
      await here.close()
      await there.close()
    },
  }
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

/** Starts a job and returns it once it stops. */
export async function finished(ask: Ask, path: string, verb: string, body?: unknown): Promise<RemoteJob> {
  const started = await ask<RemoteJob>('POST', `${path}/${verb}`, body)
  if (started.status !== 202) throw new Error(started.text)
  return stillJob(ask, path, started.body.id)
}

export async function stillJob(ask: Ask, path: string, id: string): Promise<RemoteJob> {
  for (;;) {
    const { status, body, text } = await ask<RemoteJob>('GET', `${path}/jobs/${id}`)
    if (status !== 200) throw new Error(text)
    if (body.state !== 'running') return body
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** Waits until a job is in one of these states. */
export async function jobIn(ask: Ask, path: string, id: string, states: string[]): Promise<RemoteJob> {
  for (;;) {
    const { body } = await ask<RemoteJob>('GET', `${path}/jobs/${id}`)
    if (states.includes(body.state)) return body
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

export async function remoteOf({ ask, path }: TwoOrgs): Promise<RemoteView> {
  return (await ask<RemoteView>('GET', path)).body
}

/** @throws Error with the response if it was refused */
export function done(answer: Answer): Answer {
  if (answer.status >= 300) throw new Error(`${answer.status} ${answer.text}`)
  return answer
}
