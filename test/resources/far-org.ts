// A remote on loopback that is as large as the local org and differs from it in every tenth entry.
import { changedEntries } from './large-list.ts'
import { measuredServer, type MeasuredServer } from './measured-server.ts'

export const farKey = 'far'

export interface FarOrg {
  server: MeasuredServer
  /** The request that adds it to the local org. */
  remote: { key: string; name: string; url: string; colour: string; proof: object }
}

export async function farOrg(org: string): Promise<FarOrg> {
  const server = await measuredServer({ org })
  const client = {
    ...{ type: 'integration_client', key: 'near', label: 'Near' },
    body: { authScheme: 'oauth2_client_credentials', runAs: 'admin' },
  }
  await server.ask('POST', '/metadata/v3/apply', { components: [client] })
  await server.ask('POST', '/metadata/v3/apply', { components: changedEntries('8.88') })
  const path = '/setup/v3/clients/near/secrets'
  const { clientSecret } = await server.ask<{ clientSecret: string }>('POST', path)
  const proof = { kind: 'client', client: 'near', secret: clientSecret }
  return { server, remote: { key: farKey, name: 'Far', url: server.url, colour: 'grey', proof } }
}

interface Job {
  id: string
  state: string
}

/**
 * Waits until a job of the remote stops running.
 * @throws Error if it failed
 */
export async function untilStill({ ask }: MeasuredServer, { id }: Job, key = farKey): Promise<void> {
  for (;;) {
    const job = await ask<Job>('GET', `/setup/v3/remotes/${key}/jobs/${id}`)
    if (job.state === 'failed') throw new Error(`The job failed: ${JSON.stringify(job)}`)
    if (job.state !== 'running') return
    await new Promise((again) => setTimeout(again, 100))
  }
}

export async function compareWithFar(server: MeasuredServer): Promise<void> {
  await untilStill(server, await server.ask<Job>('POST', `/setup/v3/remotes/${farKey}/compare`))
}
