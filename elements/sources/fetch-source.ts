// A source over HTTP: the request goes out with the element's signal, so that what nobody waits for is called off.
import type { LookupAnswer, LookupRequest, LookupSearch } from '../lookup-field/types.ts'

export interface FetchSourceOptions {
  /** What the answer's JSON means; by default it is a list of options, or a page of them. */
  answer?: (body: unknown, query: string, request: LookupRequest) => LookupAnswer
  /** Headers, credentials and the like of every request. */
  init?: RequestInit | (() => RequestInit)
}

/**
 * `address` makes the URL of a query; a string is asked with `q`, `match`, `display` and `cursor` as parameters; a cursor that
 * is no text goes as JSON.
 * The answer fails where the status is not 2xx or the body is no JSON.
 */
export function fetchSource(
  address: string | URL | ((query: string, request: LookupRequest) => string | URL | Request),
  { answer = (body) => body as LookupAnswer, init }: FetchSourceOptions = {},
): LookupSearch {
  return async (query, request) => {
    const target = typeof address === 'function' ? address(query, request) : asked(address, query, request)
    const given = typeof init === 'function' ? init() : init
    const response = await fetch(target, { ...given, signal: request.signal })
    if (!response.ok) throw new Error(`The source answered ${response.status}.`)
    return answer(await response.json(), query, request)
  }
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
