// Who is asking: the studio's administrator or a person by cookie, a client or a person by bearer token (completions 5, 6).
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

/** Where the studio lets people sign in. */
const signInPage = '/sign-in'

/** What of a route decides who may ask it. */
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
  /** Rights of whoever is asking, or is looked through. */
  access: EffectiveAccess
  visibility: Visibility
  /** The same for the pipeline; null for whoever sees everything. */
  sight: ActorSight | null
  /** On whose behalf a write is recorded: never the person that is looked through. */
  by: By
  identity: Identity
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
  const identity = identityOf(services, request)
  if (route.person === true) demandPerson(identity, quotedSummary(route))
  const actor = identity.user
  const user = lookedThrough(request, route, identity) ?? actor
  const world = services.org.pin()
  return services.store.read((reader) => {
    if (reader.user(user) === undefined && user !== actor)
      throw new AlmanacError('user.not_found', `There is no user "${user}" to view as.`)
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
      throw new AlmanacError('auth.invalid', 'Only "Authorization: Bearer <token>" is understood.')
    if (!bearer.startsWith(personTokenPrefix))
      return { ...access.authenticateToken(bearer), through: 'client', signIn: null, expiresAt: null }
    const person = access.personOf('token', bearer)
    if (person === null)
      throw new AlmanacError('auth.invalid', 'The bearer token is unknown or has expired. Ask for a new one.')
    return { ...personal(person), through: 'token' }
  }
  const person = personSessionOf(services, request)
  if (person !== null) return { ...personal(person), through: 'password' }
  // Who signed in with a password is not the administrator once that session has ended.
  if (personCookie.secretOf(services.site, request) !== undefined) throw nobody(services, true)
  const link = linkSessionOf(services, request)
  if (link !== null) return { ...personal(link), through: 'link' }
  throw nobody(services, linkCookie.secretOf(services.site, request) !== undefined)
}

type Sessions = Pick<Services, 'access' | 'site'>

/** The live session of a user who signed in with a password; null if the request carries none. */
export const personSessionOf = (services: Sessions, request: Request): Person | null =>
  sessionOf(services, request, personCookie, false)

/** The live session of the one-time link; null if the request carries none. */
export const linkSessionOf = (services: Sessions, request: Request): Person | null =>
  sessionOf(services, request, linkCookie, true)

/** The operator whose browser this is: known from the one-time link, or from a session that was opened beside it. */
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

/** @param ended a session was shown that is over */
function nobody({ link: oneTimeLink, studioFolder }: Services, ended: boolean): AlmanacError {
  if (studioFolder === null)
    return new AlmanacError(
      'auth.required',
      'Send "Authorization: Bearer <token>"; "almanac token --client <key>" makes one.',
    )
  const link =
    oneTimeLink === null ? '' : ' Or open the one-time link that the server printed when it was started.'
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

/** What a route does in words of its own; its address if it has none. */
const quotedSummary = ({ summary, method, path }: Guarded): string =>
  summary === undefined ? `${method.toUpperCase()} ${path}` : `"${summary}"`

/** The user of `X-View-As`; undefined without the header. */
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
      'Viewing as another user is for people in the studio; a bearer token is always its own user.',
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
    throw new AlmanacError(
      'request.malformed',
      `X-App: there is no app "${app}".${didYouMean(app, view.keys('app'))}`,
    )
  return { app }
}

/** The first language that is understood; others are ignored, as browsers send what they like (RFC 9110, 12.5.4). */
function localeOf(request: Request): { locale?: string } {
  const accepted = request.headers['accept-language'] === undefined ? [] : request.acceptsLanguages()
  for (const range of accepted) {
    if (range === '*') return {}
    const locale = customaryLocale(range)
    if (locale !== null) return { locale }
  }
  return {}
}
