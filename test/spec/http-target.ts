// The engine behind a real server on loopback: the admin through the studio's session, every other user through a
// client.
import { runningServer, type Answer, type Ask, type TestServer } from '../support/running-server.ts'
import type { SpecOrg, SpecOutcome, SpecRequest, SpecTarget } from './target.ts'

export const httpTarget: SpecTarget = { name: 'HTTP', reach: 'engine', start }

async function start(): Promise<SpecOrg> {
  const test = await runningServer()
  const askers = new Map<string, Ask>([['admin', test.studio]])
  const as = (actor = 'admin'): Ask => {
    const asker = askers.get(actor)
    if (asker === undefined) throw new Error(`The test did not add the user ${actor}.`)
    return asker
  }
  return {
    apply: async ({ actor, ...list }) => outcomeOf(await as(actor)('POST', '/metadata/v3/apply', sent(list))),
    plan: async ({ actor, ...list }) => {
      type Planned = { plan: { changeDigest: string } }
      const { body } = await as(actor)<Planned>('POST', '/metadata/v3/plan', sent(list))
      return body.plan.changeDigest
    },
    addUser: async (key, permissionSets) => void askers.set(key, await clientOf(test, key, permissionSets)),
    activeGeneration: async () => {
      const { body } = await test.plain<{ generation: number }>('GET', '/readyz')
      return body.generation
    },
    close: () => test.close(),
  }
}

function sent({ components = [], ...list }: SpecRequest): object {
  return { components, ...list }
}

/** A user, and a client that runs as them: only the administrator has a session. */
export async function clientOf(
  test: TestServer,
  key: string,
  permissionSets: readonly string[],
): Promise<Ask> {
  const operator = { actor: 'admin', correlationId: 'spec', isOperator: true }
  await test.beside(({ access }) =>
    access.addUser(operator, { key, name: key, permissionSets: [...permissionSets] }),
  )
  const body = { authScheme: 'oauth2_client_credentials', runAs: key }
  const client = { type: 'integration_client', key: `as_${key}`, label: key, body }
  const { status, text } = await test.studio('POST', '/metadata/v3/apply', { components: [client] })
  if (status !== 200) throw new Error(text)
  const { token } = await test.beside(({ access }) => access.issueToken(operator, client.key))
  return test.bearer(token)
}

function outcomeOf({ status, body }: Answer): SpecOutcome {
  if (status === 200)
    return { ok: true, generation: body['generation'] as never, findings: body['findings'] as never }
  return {
    ok: false,
    code: String(body['code']),
    message: String(body['detail']),
    details: body['details'] as never,
  }
}
