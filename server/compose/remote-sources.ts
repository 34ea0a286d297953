// Wires the sources of virtual objects to the executor of callouts.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import {
  requireKnownCharset,
  type Callout,
  type CalloutFailure,
  type CalloutResult,
} from '../callouts/index.ts'
import type { CalloutCredential } from '../ports/callout-authentication.ts'
import type { RemoteSources } from '../records/index.ts'
import {
  createODataSource,
  metadataPath,
  type ODataSource,
  type RemoteRequest,
  type RemoteResponse,
  type SourceTimes,
} from '../virtual/index.ts'

/** What a call to a source is made with: plain data, which another thread can send. */
export interface SourceTarget {
  /** The key of the external data source. */
  source: string
  credential: CalloutCredential
  /** Key of the user for whom it is called. */
  user: string
  correlationId: string
  /** For the whole call. */
  withinMs: number
}

export type CallSource = (
  target: SourceTarget,
  request: RemoteRequest,
  signal: AbortSignal,
) => Promise<RemoteResponse>

/** A standalone operation, outside of every transaction. */
type ExecuteCall = (call: Callout, withinMs: number) => Promise<CalloutResult>

/** Of one response, which is parsed on the readers' thread. A larger one is asked for in parts, as far as the source can. */
const mostBytes = 2 * 1024 * 1024
const mostBytesOfMetadata = 16 * 1024 * 1024

/** Responses of a source about the request; everything else is a failure of the call. */
const answers: ReadonlySet<number> = new Set([400, 404, 405, 409, 410, 412, 413, 422, 428, 501])
const isAnswer = (status: number): boolean => (status >= 200 && status < 300) || answers.has(status)

export function callSource({ execute, times }: { execute: ExecuteCall; times: SourceTimes }): CallSource {
  return async (target, { method, path, query, headers, body }, signal) => {
    const { source, credential, user, correlationId, withinMs } = target
    const sent = body === undefined ? undefined : { bytes: Buffer.from(body), mediaType: 'application/json' }
    const callout: Callout = {
      ...{ credential, actor: user, correlationId },
      ...{ method, path, hasSlashes: true, encodedQuery: query, headers, body: sent },
      ...{ accepts: isAnswer, maxBytes: path === metadataPath ? mostBytesOfMetadata : mostBytes, signal },
    }
    const response = await execute(callout, withinMs).catch((error: unknown) => {
      throw withoutTarget(error, source, method)
    })
    if (response.status < 300 && response.body.length > 0)
      requireKnownCharset(
        response.headers['content-type'],
        method === 'GET'
          ? `The response of the source ${source}`
          : `The source ${source} has carried out the change, but its response`,
      )
    if (method === 'GET' && path !== metadataPath) times.add(source, response.attempts)
    return {
      ...{ status: response.status, headers: response.headers },
      text: new TextDecoder().decode(response.body),
    }
  }
}

/** Users of the data API must not learn where the source is. */
function withoutTarget(error: unknown, source: string, method: RemoteRequest['method']): unknown {
  if (!(error instanceof AlmanacError)) return error
  const [failure] = error.details as readonly Partial<CalloutFailure>[]
  if (failure?.reason === undefined) return error
  const { code, retryAfter, origin, cause } = error
  const options = { retryAfter, cause, ...(origin === undefined ? {} : { origin }) }
  // A POST that was sent may have arrived. Other methods can be repeated.
  if (method === 'POST' && failure.outcome === 'unknown')
    return new AlmanacError(
      'integration.outcome_unknown',
      `The row may have been added: ${failure.reason}, in a call to the source ${source}. Look for it in the list before you add it again.`,
      options,
    )
  return new AlmanacError(code, `The call to the source ${source} failed: ${failure.reason}.`, options)
}

export function createRemoteSources(call: CallSource): RemoteSources {
  /** Who pages an object, as it was learnt, by source and URL. */
  const paging = new Map<string, ODataSource['paging']>()
  return {
    open: ({ key, body }, { user, correlationId, view, withinMs }) => {
      const credential = view.get('named_credential', body.namedCredential)
      if (credential === undefined)
        throw new AlmanacError(
          'integration.call_invalid',
          `The named credential ${body.namedCredential} of external_data_source/${key} does not exist.`,
        )
      const target: SourceTarget = {
        ...{ source: key, user, correlationId, withinMs },
        credential: { key: credential.key, body: credential.body },
      }
      const place = `${key} ${credential.body.url}`
      const known = paging.get(place) ?? (new Map() as ODataSource['paging'])
      paging.set(place, known)
      const send: ODataSource['call'] = (request, signal) => call(target, request, signal)
      return { ...createODataSource(credential.body.url, send), paging: known }
    },
    deadline: (ms) => AbortSignal.timeout(Math.ceil(ms)),
  }
}
