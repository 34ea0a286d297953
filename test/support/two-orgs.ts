// Two real servers in one test: an org here and a remote org that it deploys to, with the user that this org has there.
import type { RemoteJob, RemoteView } from '#wire/remotes.ts'
import type { StartOptions } from '../../server/index.ts'
import { clientSecret, impatient, newRemote } from './remote-requests.ts'
import { runningServer, type Ask, type TestServer } from './running-server.ts'

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
    org.write((transactor) => transactor.properties.put({ name: 'Kestrel There', environment })),
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
