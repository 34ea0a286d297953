// Calls to a server on loopback, as a named credential makes them, without authentication.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { RemoteCall } from '../../../server/virtual/index.ts'

export function httpCall(url: string): RemoteCall {
  return async ({ method, path, query, headers, body }, signal) => {
    let response: Response
    try {
      response = await fetch(`${url}${path}${query === '' ? '' : `?${query}`}`, {
        method,
        headers,
        body: body ?? null,
        redirect: 'manual',
        signal,
      })
      return {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        text: await response.text(),
      }
    } catch (cause) {
      throw new AlmanacError('integration.connection_lost', 'The connection was lost.', { cause })
    }
  }
}
