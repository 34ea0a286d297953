// The error of a request that the server can no longer handle because it stops.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'

export function serverClosing(): AlmanacError {
  return new AlmanacError(
    'server.not_ready',
    'The server is stopping. Nothing was saved. Send the request again when it has restarted.',
    { retryAfter: 5 },
  )
}
