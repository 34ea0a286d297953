// Identifies the caller: the studio's administrator or a person by cookie, a client or a person by bearer token.
import type { Request } from 'express'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { didYouMean } from '#kernel/errors/suggest.ts'
import { canonicalLocale } from '#kernel/components/locale-tag.ts'
import {
  viewerFor,
  requirePermission,
  requireAuthorPermission,
  effectiveAccess,
  personTokenPrefix,
  scopePathOf,
  visibilityIn,
  type Actor,
  type EffectiveAccess,
  type ActiveSignIn,
} from '../access/index.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import { narrowView, type Snapshot } from '../pipeline/index.ts'
import type { SystemPermission } from '#kernel/components/permission-set/system-permissions.ts'
import type { Caller, IdentifiedCaller } from './caller-cache.ts'
import type { Identity, SerializedContext } from './identity.ts'
import { requireKey } from './known-keys.ts'
import { linkCookie, personCookie, type SessionCookie } from './session-cookie.ts'
import type { Services } from './services.ts'

/** Address of the sign-in page of the studio. */
const signInPage = '/sign-in'

/** The properties of a route that decide who can call it. */
export interface GuardedRoute {
  method: string
  path: string
  summary?: string
  effect: 'reads' | 'writes'
  permission?: SystemPermission
  author?: true
  person?: true
}

export interface RequestContext extends Caller {
  /** The user that writes are recorded for; never the user who is viewed as. */
  by: Actor
}

/**
 * @param position of the org when the request arrived, or later
 * @throws AlmanacError `auth.required`, `auth.invalid`, `access.denied`, `request.malformed`.
 */
export function createRequestContext(
  services: Services,
  request: Request,
  route: GuardedRoute,
  correlationId: string,
  position = services.org.position(),
): RequestContext {
  const snapshot = services.org.pin()
  const { generation } = snapshot
  const caller = services.callers.callerOf(request, { generation, position }, () =>
    lookUpCaller(services, request, route, snapshot),
  )
  const { access, identity } = caller
  requireIdentity(request, route, identity)
  if (route.permission !== undefined)
    requirePermission(access, route.permission, `for ${quotedSummary(route)}`)
  if (route.author === true) requireAuthorPermission(access)
  const by: Actor = {
    actor: identity.user,
    correlationId,
    ...(identity.operator === null ? {} : { operatorName: identity.operator }),
  }
  return { ...caller, by }
}

/** @throws AlmanacError `auth.required`, `auth.invalid`, `access.denied`, `request.malformed`, `user.not_found` */
function lookUpCaller(
  services: Services,
  request: Request,
  route: GuardedRoute,
  snapshot: Snapshot,
): IdentifiedCaller {
  const { identity, validUntil } = identityOf(services, request)
  requireIdentity(request, route, identity)
  const actor = identity.user
  const user = viewAsUser(request, identity) ?? actor
  return services.store.read((reader) => {
    if (reader.people.user(user) === undefined && user !== actor)
      throw new AlmanacError('user.not_found', `Cannot view as "${user}", because this user does not exist.`)
    if (user !== actor && identity.through !== 'link')
      requirePermission(effectiveAccess(reader, actor, snapshot.view), 'access.manage', `to view as ${user}`)
    const access = effectiveAccess(reader, user, snapshot.view)
    const scopePath = scopePathOf(reader, access, { ...appOf(request, snapshot.view), ...localeOf(request) })
    return { caller: { ...narrowSnapshot(snapshot, access), identity, scopePath }, validUntil }
  })
}

/** Refuses what a route does not allow, before anything is read. @throws AlmanacError `access.denied` */
function requireIdentity(request: Request, route: GuardedRoute, identity: Identity): void {
  if (route.person === true) requirePerson(identity, quotedSummary(route))
  const user = viewAsUser(request, identity)
  if (user !== undefined && route.effect === 'writes')
    throw new AlmanacError(
      'access.denied',
      `You are viewing as ${user}, which is read-only. Switch back to your own user to make changes.`,
    )
}

type VisibleSnapshot = Pick<Caller, 'access' | 'visibility' | 'viewer' | 'snapshot' | 'shown'>

function narrowSnapshot(snapshot: Snapshot, access: EffectiveAccess): VisibleSnapshot {
  const viewer = viewerFor(access, snapshot)
  const visibility = viewer?.visibility ?? visibilityIn(access, snapshot.view)
  return { access, visibility, viewer, snapshot, shown: narrowView(snapshot.view, viewer) }
}

export function serializeContext({
  access,
  by,
  identity,
  scopePath,
  snapshot,
}: RequestContext): SerializedContext {
  return { by, identity, scopePath, user: access.user, generation: snapshot.generation }
}

/** The same caller with the same rights, over the same generation. */
export function restoreContext({ org, store }: Services, sent: SerializedContext): RequestContext {
  const { by, identity, scopePath, user, generation } = sent
  const snapshot = org.pin(generation)
  const access = store.read((reader) => effectiveAccess(reader, user, snapshot.view))
  return { ...narrowSnapshot(snapshot, access), by, identity, scopePath }
}

interface Identified {
  identity: Identity
  /** Milliseconds since 1970. */
  validUntil: number
}

/** @throws AlmanacError `auth.required`, `auth.invalid`. */
function identityOf(services: Services, request: Request): Identified {
  const { access } = services
  const { authorization, 'x-api-key': apiKey } = request.headers
  if (apiKey !== undefined) return keyIdentity(services, request, String(apiKey))
  if (authorization !== undefined) {
    const bearer = /^Bearer +(\S+)$/i.exec(authorization)?.[1]
    if (bearer === undefined)
      throw new AlmanacError(
        'auth.invalid',
        'The Authorization header is not valid. Send "Authorization: Bearer <token>".',
      )
    if (!bearer.startsWith(personTokenPrefix)) {
      const { validUntil, ...client } = access.authenticateToken(bearer)
      return { identity: { ...client, through: 'client', signIn: null, expiresAt: null }, validUntil }
    }
    const person = access.findActiveSignIn('token', bearer)
    if (person === null)
      throw new AlmanacError('auth.invalid', 'The bearer token is unknown or has expired. Request a new one.')
    return personIdentity(person, 'token')
  }
  const person = personSessionOf(services, request)
  if (person !== null) return personIdentity(person, 'password')
  // A user who signed in with a password does not become the administrator when that session ends.
  if (personCookie.secretOf(services.site, request) !== undefined) throw authRequiredError(services, true)
  const link = linkSessionOf(services, request)
  if (link !== null) return personIdentity(link, 'link')
  throw authRequiredError(services, linkCookie.secretOf(services.site, request) !== undefined)
}

/** A key is valid until something is written: its client, its user or its secrets may have changed then. */
function keyIdentity(services: Services, request: Request, key: string): Identified {
  if (request.headers.authorization !== undefined)
    throw new AlmanacError('auth.invalid', 'Send the header Authorization or X-API-Key, not both.')
  const { validUntil, ...bearer } = requireKey(services, request, key)
  return { identity: { ...bearer, through: 'client', signIn: null, expiresAt: null }, validUntil }
}

type Sessions = Pick<Services, 'access' | 'site'>

/** Returns the live session of a user who signed in with a password; null if none exists. */
export const personSessionOf = (services: Sessions, request: Request): ActiveSignIn | null =>
  sessionOf(services, request, personCookie, false)

/** Returns the live session of the one-time link; null if none exists. */
export const linkSessionOf = (services: Sessions, request: Request): ActiveSignIn | null =>
  sessionOf(services, request, linkCookie, true)

/** Returns the operator who uses this browser: from the one-time link, or from a session that was opened beside it. */
export function operatorOf(services: Sessions, request: Request): string | undefined {
  return (
    linkSessionOf(services, request)?.operator ?? personSessionOf(services, request)?.operator ?? undefined
  )
}

function sessionOf(
  { access, site }: Sessions,
  request: Request,
  cookie: SessionCookie,
  byLink: boolean,
): ActiveSignIn | null {
  const secret = cookie.secretOf(site, request)
  const person = secret === undefined ? null : access.findActiveSignIn('session', secret)
  return person?.isLinkSession === byLink ? person : null
}

function personIdentity(signIn: ActiveSignIn, through: Identity['through']): Identified {
  const { user, id, expiresAt, operator, validUntil } = signIn
  return { identity: { user, client: null, through, signIn: id, expiresAt, operator }, validUntil }
}

/** @param ended whether the request carries a session that has ended */
function authRequiredError({ link: oneTimeLink, studioFolder }: Services, ended: boolean): AlmanacError {
  if (studioFolder === null)
    return new AlmanacError(
      'auth.required',
      'Send "Authorization: Bearer <token>". Create a token with "almanac token --client <key>".',
    )
  const link =
    oneTimeLink === null ? '' : ' Or open the one-time link that the server printed when it started.'
  const why = ended ? 'Your session has ended.' : 'You are not signed in.'
  return new AlmanacError('auth.required', `${why} Sign in with your password.${link}`, {
    details: [{ signIn: signInPage, ended }],
  })
}

/** @throws AlmanacError `access.denied` for a bearer token */
export function requirePerson({ through }: Identity, what: string): void {
  if (through === 'link' || through === 'password') return
  throw new AlmanacError(
    'access.denied',
    `A bearer token cannot do this: ${what}. Sign in with your password.`,
  )
}

/** The summary of a route in quotes; its address if it has no summary. */
const quotedSummary = ({ summary, method, path }: GuardedRoute): string =>
  summary === undefined ? `${method.toUpperCase()} ${path}` : `"${summary}"`

/** Returns the user of `X-View-As`; undefined without the header. @throws AlmanacError `access.denied` */
function viewAsUser(request: Request, { user: actor, through }: Identity): string | undefined {
  const user = request.get('X-View-As')
  if (user === undefined || user === actor) return undefined
  if (through === 'client' || through === 'token')
    throw new AlmanacError(
      'access.denied',
      'Only a studio session can view as another user. A bearer token always acts as its own user.',
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
    const locale = canonicalLocale(range)
    if (locale !== null) return { locale }
  }
  return {}
}
