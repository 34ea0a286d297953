// The limits of the integration client that sends a request.
import type { Response } from 'express'
import type { RequestContext } from './request-context.ts'
import type { Route } from './route.ts'
import type { Services } from './services.ts'

/** @throws AlmanacError `limit.rate`, `limit.concurrency` */
export function admitClient(
  { clientLimits, tracing: { clientTraffic } }: Services,
  { media }: Pick<Route, 'media'>,
  { identity, snapshot }: RequestContext,
  response: Response,
): void {
  const client =
    identity.client === null ? undefined : snapshot.view.get('integration_client', identity.client)
  if (client === undefined) return
  clientTraffic.noteRequest(client.key)
  response.once('close', () => {
    if (response.statusCode >= 400 && response.statusCode !== 429) clientTraffic.noteFailure(client.key)
  })
  if (clientLimits === null) return
  const admitted = clientLimits.admit(client.key, client.body.rateLimit)
  for (const [name, value] of Object.entries(admitted.headers)) response.setHeader(name, value)
  if ('error' in admitted) {
    clientTraffic.noteThrottled(client.key, admitted.error.code, String(response.locals['correlationId']))
    throw admitted.error
  }
  // An open stream takes no part in the concurrency.
  if (media === 'text/event-stream') admitted.release()
  else response.once('close', () => admitted.release())
}
