// The largest requests to a remote as large as the local org. A request that starts a job is measured until the job
// stops, on both servers.
import { farKey, untilStill, type FarOrg } from './far-org.ts'
import { changedEntries, idOf } from './large-list.ts'
import type { MeasuredServer, SentRequest } from './measured-server.ts'

export interface RemoteScene {
  server: MeasuredServer
  far: FarOrg
}

export interface RemoteRequest {
  /** The name of its route. */
  route: string
  kind: string
  /** Called again for each attempt, because the last one may have consumed what it needs. */
  make: (scene: RemoteScene) => Promise<SentRequest>
}

interface Job {
  id: string
  kind: 'push' | 'rollback'
  state: string
}

const rationale = 'Measured.'
const remote = `/setup/v3/remotes/${farKey}`
/** As many ids as fit the element limit of a default budget. */
const mostIds = 9900
let turn = 0

export const remoteRequests: readonly RemoteRequest[] = [
  {
    route: 'retrieveFromRemote',
    kind: '10,000 contents',
    make: async (scene) => {
      await changeThere(scene)
      return starting(scene, 'retrieve')
    },
  },
  { route: 'compareWithRemote', kind: 'the most', make: async (scene) => starting(scene, 'compare') },
  {
    route: 'pushToRemote',
    kind: '10,000 changes',
    make: async (scene) => {
      await requireDifferent(scene)
      return starting(scene, 'push', { review: true, rationale })
    },
  },
  {
    route: 'proceedWithRemoteJob',
    kind: 'a push',
    make: async (scene) => {
      await requireDifferent(scene)
      return starting(scene, `jobs/${await reviewed(scene, 'push')}/proceed`, {})
    },
  },
  {
    route: 'rollBackRemote',
    kind: '10,000 changes',
    make: async (scene) => {
      await requirePushed(scene)
      return starting(scene, 'rollback', { ...(await lastBut(scene, 1)), review: true, rationale })
    },
  },
  {
    route: 'proceedWithRemoteJob',
    kind: 'a rollback',
    make: async (scene) => {
      await requirePushed(scene)
      return starting(scene, `jobs/${await reviewed(scene, 'rollback')}/proceed`, {})
    },
  },
  {
    route: 'resumeRemoteJob',
    kind: 'a push',
    make: async (scene) => {
      await requireDifferent(scene)
      return starting(scene, `jobs/${await interrupted(scene, 'push')}/resume`)
    },
  },
  {
    route: 'resumeRemoteJob',
    kind: 'a rollback',
    make: async (scene) => {
      await requirePushed(scene)
      return starting(scene, `jobs/${await interrupted(scene, 'rollback')}/resume`)
    },
  },
  {
    route: 'takeFromRemote',
    kind: 'the most',
    make: async () => ({
      ...{ method: 'POST', path: `${remote}/take` },
      body: Buffer.from(JSON.stringify({ ids: changedEntries('1').slice(0, mostIds).map(idOf) })),
    }),
  },
  {
    route: 'getComparison',
    kind: 'of drafts',
    make: async ({ server }) => {
      // An earlier comparison is kept.
      await server.ask('PUT', `/setup/v3/drafts/app/compared_${(turn += 1)}`, { text: '{', version: 0 })
      return { method: 'GET', path: `${remote}/comparison?local=drafts` }
    },
  },
  {
    route: 'pushToRemote',
    kind: 'of drafts',
    make: async (scene) => starting(scene, 'push', { local: 'drafts', review: true, rationale }),
  },
]

function starting({ server }: RemoteScene, request: string, body?: object): SentRequest {
  return {
    ...{ method: 'POST', path: `${remote}/${request}` },
    body: body === undefined ? undefined : Buffer.from(JSON.stringify(body)),
    until: (job) => untilStill(server, job as Job),
  }
}

async function run({ server }: RemoteScene, request: string, body: object): Promise<string> {
  const job = await server.ask<Job>('POST', `${remote}/${request}`, body)
  await untilStill(server, job)
  return job.id
}

/** The first contents are not stored here yet; later ones must differ. */
async function changeThere({ far: { server } }: RemoteScene): Promise<void> {
  if (turn++ === 0) return
  await server.ask('POST', '/metadata/v3/apply', { components: changedEntries(`${turn}.77`) })
}

/** How many components a push can contain. */
async function differing({ server }: RemoteScene): Promise<number> {
  const { counts } = await server.ask<{ counts: Record<string, number> }>('GET', `${remote}/comparison?limit=1`)
  return counts['changed_local'] ?? 0
}

/** The remote differs in every tenth entry; if it does not, it is rolled back. */
async function requireDifferent(scene: RemoteScene): Promise<void> {
  if ((await differing(scene)) > 0) return
  await run(scene, 'rollback', { ...(await lastBut(scene, 1)), rationale })
}

/** The last generation of the remote is a push of every tenth entry. */
async function requirePushed(scene: RemoteScene): Promise<void> {
  if ((await differing(scene)) > 0) await run(scene, 'push', { rationale })
}

async function lastBut({ far: { server } }: RemoteScene, count: number): Promise<{ generation: number }> {
  const { generation } = await server.ask<{ generation: { generation: number } }>('GET', '/setup/v3/org')
  return { generation: generation.generation - count }
}

/** A job that waits for its review: the one that was measured, or a new one. */
async function reviewed(scene: RemoteScene, kind: Job['kind']): Promise<string> {
  const { jobs } = await scene.server.ask<{ jobs: Job[] }>('GET', `${remote}/jobs`)
  const [last] = jobs
  if (last?.kind === kind && last.state === 'review') return last.id
  const back = kind === 'push' ? {} : await lastBut(scene, 1)
  return run(scene, kind, { ...back, review: true, rationale })
}

/** A job that did not reach the remote. */
async function interrupted(scene: RemoteScene, kind: Job['kind']): Promise<string> {
  const { server, far } = scene
  const back = kind === 'push' ? {} : await lastBut(scene, 1)
  const lead = (url: string): Promise<unknown> => server.ask('PUT', remote, { url })
  await lead('http://127.0.0.1:1')
  const id = await run(scene, kind, { ...back, rationale })
  await lead(far.remote.url)
  return id
}
