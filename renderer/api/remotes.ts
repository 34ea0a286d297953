// Remotes: stored, reached, pinned, compared, pushed to, rolled back; and their jobs.
import type {
  CompareState,
  Comparison,
  ComparisonIndex,
  CustodyStatus,
  LocalSource,
  NewRemote,
  PushRequest,
  RemoteChange,
  RemoteDrift,
  RemoteGenerationChanges,
  RemoteHistory,
  RemoteJob,
  RemoteTexts,
  RemoteView,
} from '#wire/remotes.ts'
import { get, post, request } from './request.ts'

const remotesPath = '/setup/v3/remotes'
const remotePath = (key: string, verb = ''): string => `${remotesPath}/${encodeURIComponent(key)}${verb}`

export const fetchRemotes = (): Promise<{ remotes: RemoteView[]; custody: CustodyStatus }> => get(remotesPath)
export const addRemote = (remote: NewRemote): Promise<RemoteView> => post(remotesPath, remote)
export const changeRemote = (key: string, change: RemoteChange): Promise<RemoteView> =>
  request('PUT', remotePath(key), { body: change })
export const removeRemote = (key: string): Promise<void> => request('DELETE', remotePath(key))
export const reachRemote = (key: string): Promise<RemoteView> => post(remotePath(key, '/contact'))
export const pinRemote = (key: string, lineage: string): Promise<RemoteView> =>
  post(remotePath(key, '/pin'), { lineage })

export interface ComparisonQuery {
  local: LocalSource
  states?: readonly CompareState[]
  q?: string
  drift?: boolean
  cursor?: string | null
  limit: number
}

export const fetchComparison = (
  key: string,
  { states, drift, ...query }: ComparisonQuery,
): Promise<Comparison> =>
  get(remotePath(key, '/comparison'), {
    ...query,
    state: states?.join(','),
    ...(drift === true ? { drift: true } : {}),
  })

/** Returns the ids of everything that differs. */
export const fetchComparisonIndex = (key: string, local: LocalSource): Promise<ComparisonIndex> =>
  get(remotePath(key, '/comparison/index'), { local })

export const fetchRemoteTexts = (key: string, id: string, local: LocalSource): Promise<RemoteTexts> =>
  get(remotePath(key, `/texts/${id.split('/').map(encodeURIComponent).join('/')}`), { local })

export const startCompare = (key: string): Promise<RemoteJob> => post(remotePath(key, '/compare'))
export const startRetrieve = (key: string): Promise<RemoteJob> => post(remotePath(key, '/retrieve'))
export const startPush = (key: string, ask: PushRequest): Promise<RemoteJob> =>
  post(remotePath(key, '/push'), ask)
export const startRollback = (
  key: string,
  ask: { generation: number; rationale: string },
): Promise<RemoteJob> => post(remotePath(key, '/rollback'), { ...ask, review: true })

/** Makes drafts here with the content of the remote. */
export const draftFromRemote = (key: string, ids: string[]): Promise<{ drafts: string[] }> =>
  post(remotePath(key, '/take'), { ids })
export const acknowledgeRemote = (key: string, generation: number): Promise<RemoteView> =>
  post(remotePath(key, '/seen'), { generation })

export const fetchDrift = (key: string): Promise<RemoteDrift> => get(remotePath(key, '/drift'))
export const fetchRemoteHistory = (key: string, before?: number): Promise<RemoteHistory> =>
  get(remotePath(key, '/generations'), { before, limit: 50 })
export const fetchRemoteGeneration = (key: string, generation: number): Promise<RemoteGenerationChanges> =>
  get(remotePath(key, `/generations/${generation}`))

export const fetchRemoteJobs = (key: string): Promise<{ jobs: RemoteJob[] }> => get(remotePath(key, '/jobs'))
export const proceedWithJob = (
  key: string,
  id: string,
  ask: { confirm?: string; rationale?: string },
): Promise<RemoteJob> => post(remotePath(key, `/jobs/${id}/proceed`), ask)
export const resumeJob = (key: string, id: string): Promise<RemoteJob> =>
  post(remotePath(key, `/jobs/${id}/resume`))
export const cancelJob = (key: string, id: string): Promise<RemoteJob> =>
  post(remotePath(key, `/jobs/${id}/cancel`))
