// Who is asking: the studio's administrator by cookie, a client by bearer token (completions 5, 6).
import type { Request } from 'express'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { customaryLocale, explainLocale } from '#kernel/components/locale-tag.ts'
import type { ScopePath } from '#kernel/components/scopes.ts'
import {
  demand,
  effectiveAccess,
  scopePathOf,
  visibleSets,
  visibleView,
  type By,
  type EffectiveAccess,
  type Visibility,
} from '../access/index.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import { administrator, type World } from '../pipeline/index.ts'
import type { SystemPermission } from '#kernel/components/permission-set/body.ts'
import type { Services } from './services.ts'

/** What of a route decides who may ask it. */
export interface Guarded {
  method: string
  path: string
  effect: 'reads' | 'writes'
  permission?: SystemPermission
}

export interface Asking {
  /** Rights of whoever is asking, or is looked through. */
  access: EffectiveAccess
  visibility: Visibility
  /** On whose behalf a write is recorded: never the person that is looked through. */
  by: By
  /** The client of a bearer token; null in the studio. */
  client: string | null
  scopePath: ScopePath
  /** The generation that was active when the request came; it stays with it to its end. */
  world: World
  /** That generation without what the asker may not see. */
  shown: ComponentView
}

/** @throws AlmanacError `auth.required`, `auth.invalid`, `access.denied`, `request.malformed`. */
export function askingOf(
  services: Services,
  request: Request,
  route: Guarded,
  correlationId: string,
): Asking {
  const { user: actor, client } = identityOf(services, request)
  const user = lookedThrough(request, route, actor, client) ?? actor
  const world = services.org.pin()
  return services.store.read((reader) => {
    if (reader.user(user) === undefined && user !== actor)
      throw new AlmanacError('user.not_found', `There is no user "${user}" to view as.`)
    const access = effectiveAccess(reader, user, world.view)
    if (route.permission !== undefined)
      demand(access, route.permission, `for ${route.method.toUpperCase()} ${route.path}`)
    const visibility = visibleSets(access, world.view)
    return {
      access,
      visibility,
      by: { actor, correlationId },
      client,
      scopePath: scopePathOf(reader, access, { ...appOf(request, world.view), ...localeOf(request) }),
      world,
      shown: visibleView(world.view, visibility),
    }
  })
}

function identityOf(services: Services, request: Request): { user: string; client: string | null } {
  const authorization = request.headers.authorization
  if (authorization !== undefined) {
    const bearer = /^Bearer +(\S+)$/i.exec(authorization)?.[1]
    if (bearer === undefined)
      throw new AlmanacError('auth.invalid', 'Only "Authorization: Bearer <token>" is understood.')
    return services.access.authenticateToken(bearer)
  }
  if (services.session?.holds(request) === true) return { user: administrator, client: null }
  throw new AlmanacError(
    'auth.required',
    services.session === null
      ? 'Send "Authorization: Bearer <token>"; "almanac token --client <key>" makes one.'
      : 'This is no open session of the studio. Open the link that the server printed, or send a bearer token.',
  )
}

/** The user of `X-View-As`; undefined without the header. */
function lookedThrough(
  request: Request,
  route: Guarded,
  actor: string,
  client: string | null,
): string | undefined {
  const user = request.get('X-View-As')
  if (user === undefined || user === actor) return undefined
  if (client !== null)
    throw new AlmanacError(
      'access.denied',
      'Viewing as another user is for the administrator in the studio; a client is always its own user.',
    )
  if (route.effect === 'writes')
    throw new AlmanacError(
      'access.denied',
      `You are viewing as ${user}, which is for reading only. Go back to yourself to change something.`,
    )
  return user
}

function appOf(request: Request, view: ComponentView): { app?: string } {
  const app = request.get('X-App')
  if (app === undefined) return {}
  if (!view.has('app', app))
    throw new AlmanacError('request.malformed', `X-App names "${app}", and there is no such app.`)
  return { app }
}

function localeOf(request: Request): { locale?: string } {
  const [first] = request.headers['accept-language'] === undefined ? [] : request.acceptsLanguages()
  if (first === undefined || first === '*') return {}
  const locale = customaryLocale(first)
  if (locale === null) throw new AlmanacError('request.malformed', `Accept-Language: ${explainLocale(first)}`)
  return { locale }
}
