// The caller in terms of scopes (docs/reference/resolution-and-dates.md).
import { canonicalLocale } from '#kernel/components/locale-tag.ts'
import type { ScopePath } from '#kernel/components/scopes.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { didYouMean } from '#kernel/errors/suggest.ts'
import type { OrgReader } from '../ports/org-store.ts'
import type { EffectiveAccess } from './effective-access.ts'

/**
 * The scope path of a user in this org: their permission sets, their own locale before the request's accepted one, the
 * app of the request, and the org's environment.
 */
export function scopePathOf(
  reader: Pick<OrgReader, 'people' | 'properties'>,
  access: EffectiveAccess,
  request: { app?: string; locale?: string } = {},
): ScopePath {
  const own = reader.people.user(access.user)?.locale ?? undefined
  // A user from before tags were checked may have one in a different case.
  const locale = own === undefined ? request.locale : (canonicalLocale(own) ?? own)
  return {
    user: access.user,
    permission_set: [...access.permissionSets],
    ...(locale === undefined ? {} : { locale }),
    ...(request.app === undefined ? {} : { app: request.app }),
    environment: reader.properties.get().environment,
  }
}

/** The usual environments; an org can use a different name. */
const environments = ['dev', 'test', 'prod']

/**
 * Refuses a scope path that names what does not exist: an app or permission set that is in none of the views, a user
 * that the org does not have, or an environment that is neither the org's nor used by an entry.
 * @throws AlmanacError request.invalid
 */
export function requireScopePath(
  reader: Pick<OrgReader, 'people' | 'properties'>,
  path: ScopePath,
  [view, ...others]: readonly [ComponentView, ...ComponentView[]],
): void {
  const demand = (type: 'app' | 'permission_set', title: string, key: string): void => {
    if ([view, ...others].some((each) => each.has(type, key))) return
    throw unknown(type, title, key, view.keys(type))
  }
  if (path.app !== undefined) demand('app', 'app', path.app)
  for (const key of path.permission_set ?? []) demand('permission_set', 'permission set', key)
  if (path.user !== undefined && reader.people.user(path.user) === undefined)
    throw unknown('user', 'user', path.user, [])
  const { environment } = path
  if (environment === undefined || isEnvironment(environment, reader, [view, ...others])) return
  throw unknown('environment', 'environment', environment, [
    ...environments,
    reader.properties.get().environment,
  ])
}

function isEnvironment(
  name: string,
  reader: Pick<OrgReader, 'properties'>,
  views: readonly ComponentView[],
): boolean {
  if (environments.includes(name) || name === reader.properties.get().environment) return true
  for (const view of views)
    for (const { body } of view.list('config_entry'))
      if (body.scope.kind === 'environment' && body.scope.environment === name) return true
  return false
}

function unknown(kind: string, title: string, key: string, known: Iterable<string>): AlmanacError {
  const message = `The scope names the ${title} "${key}", which does not exist.${didYouMean(key, known)}`
  return new AlmanacError('request.invalid', message, { details: [{ scope: kind, value: key }] })
}
