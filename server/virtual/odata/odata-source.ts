// An OData 4 service, as a named credential reaches it.
import type { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { RemoteCall, RemoteRequest, RemoteResponse } from '../remote-call.ts'
import type { VirtualObject } from '../virtual-object.ts'
import { serviceError } from './service-error.ts'

export interface ODataSource {
  /** The URL of the named credential. */
  readonly serviceRoot: string
  readonly call: RemoteCall
  /**
   * Who pages an object, as far as it is known: a source that ignores the page size leaves it to us. `start`: it also
   * ignores `$skip`, so each part is read from the start of the list. `slow`: its first response was too slow once,
   * perhaps because it tried to return everything.
   */
  readonly paging: Paging
}

export type PagingMode = 'source' | 'here' | 'start' | 'slow'
export type Paging = Map<string, PagingMode>

/** Keep one for each data source: it learns how the source pages. */
export function createODataSource(serviceRoot: string, call: RemoteCall): ODataSource {
  return { serviceRoot, call, paging: new Map() }
}

/** Exact numbers: Int64 and Decimal are sent as texts. */
const jsonType = 'application/json;odata.metadata=minimal;IEEE754Compatible=true'

type Headers = RemoteRequest['headers']

export const readHeaders: Headers = {
  accept: jsonType,
  'odata-version': '4.0',
  'odata-maxversion': '4.01',
}

export const writeHeaders: Headers = { ...readHeaders, 'content-type': jsonType }

export const nameOf = ({ body, source }: VirtualObject): string => `${body.remoteEntity} of ${source.key}`

/** @throws AlmanacError of the call, or by the status of the response */
export async function send(
  source: ODataSource,
  object: VirtualObject,
  request: RemoteRequest,
  { signal, refused }: SendOptions,
): Promise<RemoteResponse> {
  const response = await source.call(request, signal)
  if (response.status >= 200 && response.status < 300) return response
  const error = serviceError(response, nameOf(object))
  throw refused?.(response.status, error) ?? error
}

interface SendOptions {
  signal: AbortSignal
  /** The error of a status that has a special meaning for the request. */
  refused?: (status: number, error: AlmanacError) => AlmanacError | undefined
}
