// The caller of a request, for the data API.
import type { CallerOf } from '../../records/index.ts'
import type { RequestContext } from '../request-context.ts'

export function callerOf({
  access,
  identity,
  snapshot,
  scopePath,
  by,
}: Pick<RequestContext, 'access' | 'identity' | 'snapshot' | 'scopePath' | 'by'>): CallerOf {
  const { correlationId } = by
  return { access, generation: snapshot.generation, scopePath, client: identity.client, correlationId }
}
