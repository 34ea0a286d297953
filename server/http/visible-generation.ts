// Gives routes the content of an older generation as the caller can see it today.
import type { ComponentView } from '#kernel/components/view.ts'
import type { Visibility } from '../access/index.ts'
import { viewerAt } from '../pipeline/index.ts'
import type { RequestContext } from './request-context.ts'
import type { Services } from './services.ts'

export interface VisibleGeneration {
  snapshot: RequestContext['snapshot']
  /** The content of the generation without what the caller cannot see. */
  shown: ComponentView
  /** Visibility of its sets and flags, by the keys that they had in it. */
  visibility: Visibility
}

type Request = Pick<RequestContext, 'snapshot' | 'shown' | 'visibility' | 'viewer'> & { services: Services }

/** Defaults to the generation of the request. @throws AlmanacError generation.not_found */
export function visibleGeneration(request: Request, generation: number | undefined): VisibleGeneration {
  const { services, viewer } = request
  if (generation === undefined || generation === request.snapshot.generation) return request
  const snapshot = services.org.pin(generation)
  const then = services.store.read((reader) => viewerAt(reader, viewer, generation))
  if (then === null) return { snapshot, shown: snapshot.view, visibility: request.visibility }
  return { snapshot, shown: then.narrow(snapshot.view), visibility: then.visibility }
}
