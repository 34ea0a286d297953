// A source over HTTP: the request goes out with the element's signal, so that what nobody waits for is called off.
import type { LookupAnswer, LookupOption, LookupRequest, LookupSearch } from '../lookup-field/types.ts'

export interface FetchSourceOptions {
  /** What the answer's JSON means; by default it is a list of options, or a page of them. */
  answer?: (body: unknown, query: string, request: LookupRequest) => LookupAnswer
  /** Headers, credentials and the like of every request. */
  init?: RequestInit | (() => RequestInit)
  /** The URL of one record by its id, for a field that was given a value without a name. A status of 404 means that there is none. */
  resolve?: (value: string) => string | URL | Request
}

/**
 * `address` makes the URL of a query; a string is asked with `q`, `match`, `display` and `cursor` as parameters; a cursor that
 * is no text goes as JSON.
 * The answer fails where the status is not 2xx or the body is no JSON.
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
    if (!response.ok) throw new Error(`The source answered ${response.status}.`)
    return response.json()
  }
  const search: LookupSearch = async (query, request) => {
    const target = typeof address === 'function' ? address(query, request) : asked(address, query, request)
    return answer(await read(await get(target, request.signal)), query, request)
  }
  if (resolve)
    search.resolve = async (value, { signal }) => {
      const response = await get(resolve(value), signal)
      return response.status === 404 ? null : ((await read(response)) as LookupOption)
    }
  return search
}

function asked(
  address: string | URL,
  query: string,
  { matchFields, displayFields, cursor }: LookupRequest,
): URL {
  const url = new URL(address, document.baseURI)
  const given: Record<string, string> = {
    q: query,
    match: matchFields.join(','),
    display: displayFields.join(','),
  }
  if (cursor !== undefined && cursor !== null)
    given['cursor'] = typeof cursor === 'object' ? JSON.stringify(cursor) : String(cursor)
  for (const [name, value] of Object.entries(given))
    if (value !== '' || name === 'q') url.searchParams.set(name, value)
  return url
}
