// The callers of recent requests. A caller is looked up again once anything was written to the org.
import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { ScopePath } from '#kernel/components/scopes.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import { RecentCache } from '#kernel/memo/recent-cache.ts'
import type { EffectiveAccess, Viewer, Visibility } from '../access/index.ts'
import type { Snapshot } from '../pipeline/index.ts'
import type { OrgClock } from '../ports/clock.ts'
import type { Identity } from './identity.ts'

/** What follows from the headers of a request, for any route. */
export interface Caller {
  /** Rights of the caller, or of the user who is viewed as. */
  access: EffectiveAccess
  visibility: Visibility
  /** The same for the pipeline; null for a caller who sees everything. */
  viewer: Viewer | null
  identity: Identity
  scopePath: ScopePath
  /** The generation that was active when the request arrived; it does not change during the request. */
  snapshot: Snapshot
  /** That generation without what the caller cannot see. */
  shown: ComponentView
}

export interface IdentifiedCaller {
  caller: Caller
  /** Until when the caller does not need to be looked up again, in milliseconds since 1970. */
  validUntil: number
}

/** A state of the org, at least as new as the request. */
export interface OrgState {
  generation: number
  /** See `OrgStore.position`. */
  position: number
}

export interface CallerCache {
  /**
   * Returns who sends a request in a state of the org. Calls `lookUp` unless the same headers were looked up before in
   * the same state. Its errors are not cached.
   */
  callerOf(request: IncomingMessage, state: OrgState, lookUp: () => IdentifiedCaller): Caller
}

/** The headers that identify a caller and what the caller can see. */
const headers = ['authorization', 'x-api-key', 'cookie', 'x-view-as', 'x-app', 'accept-language'] as const

const maxCallers = 400

export function createCallerCache(clock: Pick<OrgClock, 'timeAt'>): CallerCache {
  let state: OrgState = { generation: -1, position: -1 }
  let known = new RecentCache<IdentifiedCaller>(maxCallers)
  return {
    callerOf: (request, now, lookUp) => {
      if (now.generation !== state.generation || now.position !== state.position)
        known = new RecentCache(maxCallers)
      state = now
      const key = keyOf(request)
      const hit = known.get(key)
      if (hit !== undefined && hit.validUntil > clock.timeAt(now.position)) return hit.caller
      const found = lookUp()
      known.put(key, found, 1)
      return found.caller
    },
  }
}

/** Contains no secret, so that a copy of the memory does not have more of them. */
function keyOf(request: IncomingMessage): string {
  // A value cannot contain a line break; an empty one is not an absent one.
  return hash(
    'sha256',
    headers.map((name) => (name in request.headers ? `=${String(request.headers[name])}` : '')).join('\n'),
    'base64',
  )
}
