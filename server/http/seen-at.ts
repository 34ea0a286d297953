// Gives routes the content of an older generation as the caller can see it today (specification 5.5).
import type { ComponentView } from '#kernel/components/view.ts'
import type { Visibility } from '../access/index.ts'
import { sightAt } from '../pipeline/index.ts'
import type { Asking } from './caller.ts'
import type { Services } from './services.ts'

export interface Seen {
  world: Asking['world']
  /** The generation without what the caller cannot see. */
  shown: ComponentView
  /** Visibility of its sets and flags, by the keys that they had in it. */
  visibility: Visibility
}

type Request = Pick<Asking, 'world' | 'shown' | 'visibility' | 'sight'> & { services: Services }

/** Defaults to the generation of the request. @throws AlmanacError generation.not_found */
export function seenAt(request: Request, generation: number | undefined): Seen {
  const { services, sight } = request
  if (generation === undefined || generation === request.world.generation) return request
  const world = services.org.pin(generation)
  const then = services.store.read((reader) => sightAt(reader, sight, generation))
  if (then === null) return { world, shown: world.view, visibility: request.visibility }
  return { world, shown: then.narrowed(world.view), visibility: then.visibility }
}
