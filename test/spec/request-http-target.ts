// Change requests behind a real server on loopback: the admin through the studio's session, every other user through a
// client.
import type { ChangeRequestAction, ChangeRequestSummary } from '#kernel/requests/index.ts'
import { runningServer, type Answer, type Ask } from '../support/running-server.ts'
import { ground } from './ground.ts'
import { clientOf } from './http-target.ts'
import {
  people,
  peopleSets,
  usualBody,
  type LookedAt,
  type RequestOrg,
  type RequestOutcome,
  type RequestTarget,
} from './request-target.ts'
import type { SpecOutcome } from './target.ts'

export const requestHttpTarget: RequestTarget = { name: 'HTTP', start }

const path = '/metadata/v3/change-requests'
const verbs: Readonly<Record<Exclude<ChangeRequestAction, 'edit'>, string>> = {
  approve: 'approve',
  reject: 'reject',
  withdraw: 'withdraw',
  comment: 'comments',
  schedule: 'schedule',
  apply: 'apply',
}

async function start(): Promise<RequestOrg> {
  const test = await runningServer()
  await test.studio('POST', '/metadata/v3/apply', { components: [...ground, ...peopleSets] })
  const askers = new Map<string, Ask>([['admin', test.studio]])
  for (const [key, permissionSets] of Object.entries(people))
    askers.set(key, await clientOf(test, key, permissionSets))
  const as = (user: string): Ask => askers.get(user)!
  const operator = { actor: 'admin', correlationId: 'spec', isOperator: true }
  const look = async (user: string, id: string): Promise<LookedAt> =>
    (await as(user)<LookedAt>('GET', `${path}/${id}`)).body
  return {
    apply: async (components, actor = 'admin') =>
      outcomeOf(await as(actor)('POST', '/metadata/v3/apply', { components })),
    rollback: async (generation) =>
      outcomeOf(await test.studio('POST', '/metadata/v3/rollback', { generation })),
    create: async (user, sent) => requestOf(await as(user)('POST', path, sent)),
    act: async (user, action, id, body) => {
      const input = { ...usualBody(action, await look('admin', id)), ...body }
      const answer =
        action === 'edit'
          ? await as(user)('PUT', `${path}/${id}`, input)
          : await as(user)('POST', `${path}/${id}/${verbs[action]}`, input)
      return requestOf(answer, action === 'apply')
    },
    look,
    list: async (user, states) => {
      const query = states === undefined ? '' : `?state=${states.join(',')}`
      const { body } = await as(user)<{ requests: ChangeRequestSummary[] }>('GET', `${path}${query}`)
      return body.requests
    },
    require: async (required) => void (await test.studio('PUT', '/setup/v3/approvals', { required })),
    assign: (user, permissionSets) =>
      test.beside(
        async ({ access }) =>
          void (await access.changeUser(operator, user, { permissionSets: [...permissionSets] })),
      ),
    applyDue: () => test.beside(async ({ requests }) => void (await requests.applyDue())),
    activeGeneration: async () => {
      const { body } = await test.studio<{ active: number }>('GET', '/metadata/v3/generations?limit=1')
      return body.active
    },
    close: () => test.close(),
  }
}

function requestOf({ status, body }: Answer, applied = false): RequestOutcome {
  if (status >= 300) return refusalOf(body)
  return { ok: true, request: (applied ? body['request'] : body) as never }
}

function outcomeOf({ status, body }: Answer): SpecOutcome {
  if (status >= 300) return refusalOf(body)
  return { ok: true, generation: body['generation'] as never, findings: body['findings'] as never }
}

function refusalOf(body: Answer['body']) {
  const { code, detail, details } = body as { code: string; detail: string; details: unknown[] }
  return { ok: false, code, message: detail, details } as const
}
