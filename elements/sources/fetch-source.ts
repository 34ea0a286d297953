// A source over HTTP: the request uses the element's signal, so that it is aborted once it is no longer needed.
import type { LookupAnswer, LookupOption, LookupRequest, LookupSearch } from '../lookup-field/types.ts'

export interface FetchSourceOptions {
  /** Converts the JSON of the response; by default, the JSON is a list of options, or a page of them. */
  answer?: (body: unknown, query: string, request: LookupRequest) => LookupAnswer
  /** Headers, credentials and the like of every request. */
  init?: RequestInit | (() => RequestInit)
  /** The URL of one record by its id, for a field with a value and without a name. A status of 404 means that it does not exist. */
  resolve?: (value: string) => string | URL | Request
}

/**
 * `address` makes the URL of a query; a string gets `q`, `match`, `display` and `cursor` as parameters; a cursor that is
 * not a text is sent as JSON.
 * The request fails if the status is not 2xx or the body is not JSON.
 */
export function fetchSource(
  address: string | URL | ((query: string, request: LookupRequest) => string | URL | Request),
  { answer = (body) => body as LookupAnswer, init, resolve }: FetchSourceOptions = {},
): LookupSearch {
  const get = async (target: string | URL | Request, signal: AbortSignal): Promise<Response> => {
    const given = typeof init === 'function' ? init() : init
    return fetch(target, { ...given, signal })
  }
  const read = async (response: Response): Promise<unknown> => {
    if (!response.ok) throw new Error(`The source responded with ${response.status}.`)
    return response.json()
  }
  const search: LookupSearch = async (query, request) => {
    const target =
      typeof address === 'function' ? address(query, request) : searchUrl(address, query, request)
    return answer(await read(await get(target, request.signal)), query, request)
  }
  if (resolve)
    search.resolve = async (value, { signal }) => {
      const response = await get(resolve(value), signal)
      return response.status === 404 ? null : ((await read(response)) as LookupOption)
    }
  return search
}

function searchUrl(
  address: string | URL,
  query: string,
  { matchFields, displayFields, cursor }: LookupRequest,
): URL {
  const url = new URL(address, document.baseURI)
  const params: Record<string, string> = {
    q: query,
    match: matchFields.join(','),
    display: displayFields.join(','),
  }
  if (cursor !== undefined && cursor !== null)
    params['cursor'] = typeof cursor === 'object' ? JSON.stringify(cursor) : String(cursor)
  for (const [name, value] of Object.entries(params))
    if (value !== '' || name === 'q') url.searchParams.set(name, value)
  return url
}
