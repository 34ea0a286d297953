// Identifies the caller: the studio's administrator or a person by cookie, a client or a person by bearer token
// (completions 5, 6).
import type { Request } from 'express'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { didYouMean } from '#kernel/errors/suggest.ts'
import { customaryLocale } from '#kernel/components/locale-tag.ts'
import type { ScopePath } from '#kernel/components/scopes.ts'
import {
  actorSight,
  demand,
  demandAuthor,
  effectiveAccess,
  personTokenPrefix,
  scopePathOf,
  visibleSets,
  type ActorSight,
  type By,
  type EffectiveAccess,
  type Person,
  type Visibility,
} from '../access/index.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import { shownView, type World } from '../pipeline/index.ts'
import type { SystemPermission } from '#kernel/components/permission-set/body.ts'
import type { Identity, SentAsking } from './identity.ts'
import { linkCookie, personCookie, type SessionCookie } from './session-cookie.ts'
import type { Services } from './services.ts'

/** Address of the sign-in page of the studio. */
const signInPage = '/sign-in'

/** The properties of a route that decide who can call it. */
export interface Guarded {
  method: string
  path: string
  summary?: string
  effect: 'reads' | 'writes'
  permission?: SystemPermission
  author?: true
  person?: true
}

export interface Asking {
  /** Rights of the caller, or of the user who is viewed as. */
  access: EffectiveAccess
  visibility: Visibility
  /** The same for the pipeline; null for a caller who sees everything. */
  sight: ActorSight | null
  /** The user that writes are recorded for; never the user who is viewed as. */
  by: By
  identity: Identity
  scopePath: ScopePath
  /** The generation that was active when the request arrived; it does not change during the request. */
  world: World
  /** That generation without what the caller cannot see. */
  shown: ComponentView
}

/** @throws AlmanacError `auth.required`, `auth.invalid`, `access.denied`, `request.malformed`. */
export function askingOf(
  services: Services,
  request: Request,
  route: Guarded,
  correlationId: string,
): Asking {
  const identity = identityOf(services, request)
  if (route.person === true) demandPerson(identity, quotedSummary(route))
  const actor = identity.user
  const user = lookedThrough(request, route, identity) ?? actor
  const world = services.org.pin()
  return services.store.read((reader) => {
    if (reader.user(user) === undefined && user !== actor)
      throw new AlmanacError('user.not_found', `Cannot view as "${user}", because this user does not exist.`)
    if (user !== actor && identity.through !== 'link')
      demand(effectiveAccess(reader, actor, world.view), 'access.manage', `to view as ${user}`)
    const access = effectiveAccess(reader, user, world.view)
    if (route.permission !== undefined) demand(access, route.permission, `for ${quotedSummary(route)}`)
    if (route.author === true) demandAuthor(access)
    const scopePath = scopePathOf(reader, access, { ...appOf(request, world.view), ...localeOf(request) })
    const by: By = {
      actor,
      correlationId,
      ...(identity.operator === null ? {} : { operatorName: identity.operator }),
    }
    return { ...sightIn(world, access), by, identity, scopePath }
  })
}

type SeenIn = Pick<Asking, 'access' | 'visibility' | 'sight' | 'world' | 'shown'>

function sightIn(world: World, access: EffectiveAccess): SeenIn {
  const sight = actorSight(access, world)
  const visibility = sight?.visibility ?? visibleSets(access, world.view)
  return { access, visibility, sight, world, shown: shownView(world.view, sight) }
}

export function sentAsking({ access, by, identity, scopePath, world }: Asking): SentAsking {
  return { by, identity, scopePath, user: access.user, generation: world.generation }
}

/** The same caller with the same rights, over the same generation. */
export function receivedAsking({ org, store }: Services, sent: SentAsking): Asking {
  const { by, identity, scopePath, user, generation } = sent
  const world = org.pin(generation)
  const access = store.read((reader) => effectiveAccess(reader, user, world.view))
  return { ...sightIn(world, access), by, identity, scopePath }
}

/** @throws AlmanacError `auth.required`, `auth.invalid`. */
function identityOf(services: Services, request: Request): Identity {
  const { access } = services
  const authorization = request.headers.authorization
  if (authorization !== undefined) {
    const bearer = /^Bearer +(\S+)$/i.exec(authorization)?.[1]
    if (bearer === undefined)
      throw new AlmanacError(
        'auth.invalid',
        'The Authorization header is not valid. Send "Authorization: Bearer <token>".',
      )
    if (!bearer.startsWith(personTokenPrefix))
      return { ...access.authenticateToken(bearer), through: 'client', signIn: null, expiresAt: null }
    const person = access.personOf('token', bearer)
    if (person === null)
      throw new AlmanacError('auth.invalid', 'The bearer token is unknown or has expired. Request a new one.')
    return { ...personal(person), through: 'token' }
  }
  const person = personSessionOf(services, request)
  if (person !== null) return { ...personal(person), through: 'password' }
  // A user who signed in with a password does not become the administrator when that session ends.
  if (personCookie.secretOf(services.site, request) !== undefined) throw nobody(services, true)
  const link = linkSessionOf(services, request)
  if (link !== null) return { ...personal(link), through: 'link' }
  throw nobody(services, linkCookie.secretOf(services.site, request) !== undefined)
}

type Sessions = Pick<Services, 'access' | 'site'>

/** Returns the live session of a user who signed in with a password; null without one. */
export const personSessionOf = (services: Sessions, request: Request): Person | null =>
  sessionOf(services, request, personCookie, false)

/** Returns the live session of the one-time link; null without one. */
export const linkSessionOf = (services: Sessions, request: Request): Person | null =>
  sessionOf(services, request, linkCookie, true)

/** Returns the operator who uses this browser: from the one-time link, or from a session that was opened next to it. */
export function operatorBehind(services: Sessions, request: Request): string | undefined {
  return (
    linkSessionOf(services, request)?.operator ?? personSessionOf(services, request)?.operator ?? undefined
  )
}

function sessionOf(
  { access, site }: Sessions,
  request: Request,
  cookie: SessionCookie,
  byLink: boolean,
): Person | null {
  const secret = cookie.secretOf(site, request)
  const person = secret === undefined ? null : access.personOf('session', secret)
  return person?.byLink === byLink ? person : null
}

function personal({ user, id, expiresAt, operator }: Person): Omit<Identity, 'through'> {
  return { user, client: null, signIn: id, expiresAt, operator }
}

/** @param ended whether the request carries a session that has ended */
function nobody({ link: oneTimeLink, studioFolder }: Services, ended: boolean): AlmanacError {
  if (studioFolder === null)
    return new AlmanacError(
      'auth.required',
      'Send "Authorization: Bearer <token>". Create a token with "almanac token --client <key>".',
    )
  const link = oneTimeLink === null ? '' : ' Or open the one-time link that the server printed at its start.'
  const why = ended ? 'Your session has ended.' : 'You are not signed in.'
  return new AlmanacError('auth.required', `${why} Sign in with your password.${link}`, {
    details: [{ signIn: signInPage, ended }],
  })
}

/** @throws AlmanacError `access.denied` for a bearer token */
export function demandPerson({ through }: Identity, what: string): void {
  if (through === 'link' || through === 'password') return
  throw new AlmanacError(
    'access.denied',
    `A bearer token cannot do this: ${what}. Sign in with your password.`,
  )
}

/** The summary of a route in quotes; its address if it has no summary. */
const quotedSummary = ({ summary, method, path }: Guarded): string =>
  summary === undefined ? `${method.toUpperCase()} ${path}` : `"${summary}"`

/** Returns the user of `X-View-As`; undefined without the header. */
function lookedThrough(
  request: Request,
  route: Guarded,
  { user: actor, through }: Identity,
): string | undefined {
  const user = request.get('X-View-As')
  if (user === undefined || user === actor) return undefined
  if (through === 'client' || through === 'token')
    throw new AlmanacError(
      'access.denied',
      'Only people in the studio can view as another user. A bearer token always acts as its own user.',
    )
  if (route.effect === 'writes')
    throw new AlmanacError(
      'access.denied',
      `You are viewing as ${user}, which is read-only. Switch back to your own user to make changes.`,
    )
  return user
}

function appOf(request: Request, view: ComponentView): { app?: string } {
  const app = request.get('X-App')
  if (app === undefined) return {}
  if (!view.has('app', app))
    throw new AlmanacError(
      'request.malformed',
      `X-App: the app "${app}" does not exist.${didYouMean(app, view.keys('app'))}`,
    )
  return { app }
}

/** Returns the first valid language; others are ignored, because browsers send any values (RFC 9110, 12.5.4). */
function localeOf(request: Request): { locale?: string } {
  const accepted = request.headers['accept-language'] === undefined ? [] : request.acceptsLanguages()
  for (const range of accepted) {
    if (range === '*') return {}
    const locale = customaryLocale(range)
    if (locale !== null) return { locale }
  }
  return {}
}
