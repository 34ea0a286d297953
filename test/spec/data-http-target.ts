// The engines behind a real server on loopback: the admin through the studio's session, every other user through a
// client. A refusal must have the status of its code.
import { errorCatalogue, type ErrorCode } from '#kernel/errors/catalogue.ts'
import { runningServer, type Answer, type Ask } from '../support/running-server.ts'
import { dataGround, dataUsers, laterGround } from './data-ground.ts'
import { done, type As, type Body, type DataOrg, type DataTarget, type Given } from './data-target.ts'
import { clientOf } from './http-target.ts'

export const dataHttpTarget: DataTarget = { name: 'HTTP', start }

const opOf: Readonly<Record<number, string>> = { 200: 'update', 201: 'insert', 204: 'delete' }

async function start(): Promise<DataOrg> {
  const test = await runningServer()
  const askers = new Map<string, Ask>([['admin', test.studio]])
  const send = async (
    as: As,
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ) => {
    const app: Record<string, string> = as.in === undefined ? {} : { 'x-app': as.in }
    return given(await askers.get(as.user)!(method, path, body, { ...app, ...headers }))
  }
  const apply: DataOrg['apply'] = async (components, removals = []) =>
    send({ user: 'admin' }, 'POST', '/metadata/v3/apply', { components, removals })
  done(await apply(dataGround))
  for (const [key, permissionSets] of Object.entries(dataUsers))
    askers.set(key, await clientOf(test, key, permissionSets))
  done(await apply(laterGround))
  return {
    name: 'http',
    apply,
    resolve: (as, question) => send(as, 'POST', '/setup/v3/resolve', question),
    evaluate: (as, question) => send(as, 'POST', '/setup/v3/evaluate', question),
    save: (as, object, { op, id, version, fields = {} }) => {
      const match: Record<string, string> = { 'if-match': version === undefined ? '*' : `"${version}"` }
      if (op === 'insert') return send(as, 'POST', `/data/v3/${object}`, fields)
      if (op === 'update') return send(as, 'PATCH', `/data/v3/${object}/${id}`, fields, match)
      if (op === 'recompute') return send(as, 'POST', `/data/v3/${object}/${id}/recompute`, undefined, match)
      return send(as, 'DELETE', `/data/v3/${object}/${id}`, undefined, match)
    },
    batch: async (as, object, records, allOrNone = false) => {
      const answer = await send(as, 'POST', `/data/v3/${object}/batch`, { allOrNone, records })
      if ('refused' in answer) return answer
      const results = answer.results as unknown as {
        status: number
        error?: { code: ErrorCode; status: number }
      }[]
      return { ...answer, results: results.map(({ status, error }) => error?.code ?? opOf[status]!) }
    },
    get: (as, object, id, fields) => {
      const query = fields === undefined ? '' : `?fields=${fields.join(',')}`
      return send(as, 'GET', `/data/v3/${object}/${id}${query}`)
    },
    query: (as, query) => send(as, 'POST', '/data/v3/query', query),
    objects: (as) => send(as, 'GET', '/data/v3'),
    call: (as, operation, call) => send(as, 'POST', `/invoke/v3/${operation}`, call),
    activeGeneration: async () => {
      const { body } = await test.plain<{ generation: number }>('GET', '/readyz')
      return body.generation
    },
    send: (as, method, path, body, headers = {}) =>
      (as === null ? test.plain : askers.get(as.user)!)(
        method,
        path,
        body,
        headers as Record<string, string>,
      ),
    close: () => test.close(),
  }
}

function given({ status, body, text }: Answer): Given {
  if (status < 300) return (body ?? {}) as unknown as Body
  const { code, detail, details = [] } = body as { code: ErrorCode; detail: string; details?: unknown[] }
  const { status: expected } = errorCatalogue[code]
  // A well-formed request whose value is not valid is 400 or 422, depending on who finds it.
  if (status !== expected) throw new Error(`${code} has the status ${status}, not ${expected}: ${text}`)
  return { refused: code, message: detail, details }
}
