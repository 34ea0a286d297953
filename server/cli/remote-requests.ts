// Change requests of an org behind a server.
import type { Finding } from '#kernel/errors/finding.ts'
import type { ChangeRequestSummary } from '#kernel/requests/index.ts'
import type { AppliedRequestView } from '#wire/index.ts'
import type { ChangeListInput, RequestsApi } from './org-api.ts'

export interface RemoteRequestsDeps {
  read: <T>(method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown) => Promise<T>
  /** Sends a change list with further properties, and adds the places in its directory to the findings. */
  sendList: <T extends { findings: readonly Finding[] }>(
    path: string,
    list: ChangeListInput,
    more: object,
  ) => Promise<T>
}

const path = '/metadata/v3/change-requests'
const at = (id: string, action = ''): string => `${path}/${encodeURIComponent(id)}${action}`

export function remoteRequests({ read, sendList }: RemoteRequestsDeps): RequestsApi {
  const decide = (id: string, action: string, body: object): Promise<ChangeRequestSummary> =>
    read('POST', at(id, action), body)
  return {
    list: async (states, limit) => {
      const query = new URLSearchParams({ limit: String(limit) })
      if (states !== undefined) query.set('state', states.join(','))
      return (await read<{ requests: ChangeRequestSummary[] }>('GET', `${path}?${query}`)).requests
    },
    get: (id) => read('GET', at(id)),
    create: (list, terms) => sendList(path, list, terms),
    approve: (id, digest, comment) => decide(id, '/approve', { digest, comment }),
    reject: (id, reason) => decide(id, '/reject', { reason }),
    withdraw: (id, reason) => decide(id, '/withdraw', { reason }),
    comment: (id, text) => decide(id, '/comments', { text }),
    schedule: (id, applyOn) => decide(id, '/schedule', { applyOn }),
    apply: async (id, digest) => {
      const applied = await read<AppliedRequestView>('POST', at(id, '/apply'), { digest })
      return { ...applied, unchanged: false }
    },
    requiredApprovals: async () => (await read<{ required: number }>('GET', '/setup/v3/approvals')).required,
    setRequiredApprovals: async (required) => {
      const reply = await read<{ request?: ChangeRequestSummary }>('PUT', '/setup/v3/approvals', { required })
      return reply.request ?? null
    },
  }
}
