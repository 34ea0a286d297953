// Gives routes the content of an older generation as the caller can see it today.
import type { ComponentView } from '#kernel/components/view.ts'
import type { Visibility } from '../access/index.ts'
import { viewerAt } from '../pipeline/index.ts'
import type { RequestContext } from './request-context.ts'
import type { Services } from './services.ts'

export interface VisibleGeneration {
  world: RequestContext['world']
  /** The generation without what the caller cannot see. */
  shown: ComponentView
  /** Visibility of its sets and flags, by the keys that they had in it. */
  visibility: Visibility
}

type Request = Pick<RequestContext, 'world' | 'shown' | 'visibility' | 'sight'> & { services: Services }

/** Defaults to the generation of the request. @throws AlmanacError generation.not_found */
export function visibleGeneration(request: Request, generation: number | undefined): VisibleGeneration {
  const { services, sight } = request
  if (generation === undefined || generation === request.world.generation) return request
  const world = services.org.pin(generation)
  const then = services.store.read((reader) => viewerAt(reader, sight, generation))
  if (then === null) return { world, shown: world.view, visibility: request.visibility }
  return { world, shown: then.narrowed(world.view), visibility: then.visibility }
}
