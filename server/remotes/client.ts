// A remote as its operations: each is an authenticated request over protocol v3 with a checked response.
import type { z } from 'zod'
import { componentId, type ComponentId } from '#kernel/components/component.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { RemoteRow } from '../ports/remotes.ts'
import * as answers from './response-schemas.ts'
import { sendRequest, type RemoteRequest } from './remote-request.ts'
import type { RemotesDeps } from './deps.ts'
import type { ProofStore } from './proof-store.ts'
import { isTransient, refusalOf } from './remote-error.ts'

/** A change list in the format of `/metadata/v3/apply`, as pieces of JSON that are created as they are sent. */
export type ChangeListStream = () => AsyncIterable<Uint8Array>

/** A larger page is checked in one piece, which blocks readers here. */
const digestsOfPage = 2000

export interface RemoteClient {
  readonly row: RemoteRow
  facts(): Promise<answers.RemoteFacts>
  generations(page: { before?: number; limit: number }): Promise<z.output<typeof answers.generations>>
  generation(generation: number): Promise<z.output<typeof answers.generationChanges>>
  digests(generation: number, cursor: string | null): Promise<z.output<typeof answers.digests>>
  contents(generation: number, ids: readonly ComponentId[]): Promise<z.output<typeof answers.contents>>
  /** The description that goes along with an external service; null if it has none. */
  description(generation: number, service: string): Promise<string | null>
  plan(list: ChangeListStream): Promise<answers.RemotePlanResponse>
  apply(list: ChangeListStream, correlationId: string): Promise<z.output<typeof answers.applied>>
  /** @throws AlmanacError of class integration; an error means that the outcome is unknown. */
  rollback(
    body: { generation: number; rationale: string },
    correlationId: string,
  ): Promise<z.output<typeof answers.applied>>
  /** The approvals that a change list needs there; 0 if the remote has no approvals. */
  approvals(): Promise<number>
  createRequest(list: ChangeListStream, correlationId: string): Promise<answers.RemoteChangeRequest>
  /** Change requests of an author, newest first. */
  requestsOf(author: string): Promise<answers.RemoteChangeRequest[]>
  request(id: string): Promise<answers.RemoteChangeRequest>
  withdrawRequest(id: string): Promise<answers.RemoteChangeRequest>
  applyRequest(
    id: string,
    digest: string,
    correlationId: string,
  ): Promise<z.output<typeof answers.appliedRequest>>
  /** Ends the token in use, if it was created for us. */
  signOut(): Promise<void>
}

export interface ClientOptions {
  /** Retries after a transient error; for jobs, which run in the background. */
  hasRetries: boolean
  /** Milliseconds; resolves, or rejects if the job is cancelled. */
  wait: (ms: number) => Promise<void>
  signal?: AbortSignal
}

type ClientRequest<S extends z.ZodType> = Omit<RemoteRequest<S>, 'limits' | 'signal'> & {
  /** Whether the remote must do much work for it. */
  isLongRunning?: boolean
  /** Whether it can be repeated without harm; if omitted, only a read can. */
  isRepeatable?: boolean
}

export function createRemoteClient(
  { outbound, options }: RemotesDeps,
  proofs: ProofStore,
  row: RemoteRow,
  { hasRetries, wait, signal }: ClientOptions,
): RemoteClient {
  const once = async <S extends z.ZodType>({
    isLongRunning,
    isRepeatable: _again,
    ...question
  }: ClientRequest<S>) => {
    const limits = isLongRunning === true ? { ...options.limits, responseMs: options.workMs } : options.limits
    const sendSigned = async (): Promise<z.output<S>> => {
      const authorization = `Bearer ${await proofs.bearerToken(row)}`
      return sendRequest(outbound, row, {
        ...question,
        headers: { ...question.headers, authorization },
        limits,
        ...(signal === undefined ? {} : { signal }),
      })
    }
    try {
      return await sendSigned()
    } catch (error) {
      // A client's token that was kept for its hour may have been ended there.
      const ended = error instanceof AlmanacError && error.code === 'integration.sign_in'
      if (ended && proofs.discardToken(row)) return sendSigned()
      throw error
    }
  }
  const send = async <S extends z.ZodType>(request: ClientRequest<S>): Promise<z.output<S>> => {
    const delays = hasRetries && request.isRepeatable !== false ? [...options.retries] : []
    for (;;) {
      try {
        return await once(request)
      } catch (error) {
        const delay = delays.shift()
        if (delay === undefined || !isTransient(error) || signal?.aborted === true) throw error
        await wait(delay)
      }
    }
  }
  const get = <S extends z.ZodType>(path: string, answer: S) =>
    send({ method: 'GET', path, responseSchema: answer })
  const post = <S extends z.ZodType>(
    path: string,
    body: unknown,
    answer: S,
    more: Partial<ClientRequest<S>> = {},
  ) => send({ method: 'POST', path, body: () => JSON.stringify(body), responseSchema: answer, ...more })
  const asOne = (correlationId: string) =>
    ({ isLongRunning: true, isRepeatable: false, headers: { 'x-correlation-id': correlationId } }) as const
  const requests = '/metadata/v3/change-requests'

  return {
    row,
    facts: () => get('/setup/v3/org', answers.facts),
    generations: ({ before, limit }) =>
      get(
        `/metadata/v3/generations?limit=${limit}${before === undefined ? '' : `&before=${before}`}`,
        answers.generations,
      ),
    generation: (generation) => get(`/metadata/v3/generations/${generation}`, answers.generationChanges),
    digests: (generation, cursor) =>
      get(
        `/metadata/v3/generations/${generation}/digests?limit=${digestsOfPage}${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
        answers.digests,
      ),
    contents: (generation, ids) =>
      post(`/metadata/v3/generations/${generation}/contents`, { ids }, answers.contents),
    description: async (generation, service) => {
      const body = { ids: [componentId('external_service', service)], descriptions: true }
      const { descriptions } = await post(
        `/metadata/v3/generations/${generation}/contents`,
        body,
        answers.contents,
      )
      return descriptions?.[service] ?? null
    },
    plan: (list) =>
      send({
        method: 'POST',
        path: '/metadata/v3/plan',
        body: list,
        responseSchema: answers.plan,
        isLongRunning: true,
      }),
    apply: (list, correlationId) =>
      send({
        method: 'POST',
        path: '/metadata/v3/apply',
        body: list,
        responseSchema: answers.applied,
        ...asOne(correlationId),
      }),
    rollback: (body, correlationId) =>
      post('/metadata/v3/rollback', body, answers.applied, asOne(correlationId)),
    approvals: async () => {
      try {
        return (await get('/setup/v3/approvals', answers.approvals)).required
      } catch (error) {
        if (refusalOf(error)?.code === 'route.not_found') return 0
        throw error
      }
    },
    createRequest: (list, correlationId) =>
      send({
        method: 'POST',
        path: requests,
        body: list,
        responseSchema: answers.changeRequest,
        ...asOne(correlationId),
      }),
    requestsOf: async (author) =>
      (await get(`${requests}?limit=200&author=${encodeURIComponent(author)}`, answers.changeRequests))
        .requests,
    request: (id) => get(`${requests}/${encodeURIComponent(id)}`, answers.changeRequest),
    withdrawRequest: (id) =>
      post(`${requests}/${encodeURIComponent(id)}/withdraw`, {}, answers.changeRequest, {
        isRepeatable: false,
      }),
    applyRequest: (id, digest, correlationId) =>
      post(
        `${requests}/${encodeURIComponent(id)}/apply`,
        { digest },
        answers.appliedRequest,
        asOne(correlationId),
      ),
    signOut: async () => void (await send({ method: 'DELETE', path: '/session', responseSchema: null })),
  }
}
