// Who asks, as far as scopes go (specification 2.3, 2.7.1; completions 2).
import type { ScopePath } from '#kernel/components/scopes.ts'
import type { OrgReader } from '../ports/org-store.ts'
import type { EffectiveAccess } from './effective-access.ts'

/**
 * The scope path of a user in this org: their permission sets, their own locale before the one that a request accepts,
 * the app that the request runs in, and the org's environment.
 */
export function scopePathOf(
  reader: OrgReader,
  access: EffectiveAccess,
  request: { app?: string; locale?: string } = {},
): ScopePath {
  const locale = reader.user(access.user)?.locale ?? request.locale
  return {
    user: access.user,
    permission_set: [...access.permissionSets],
    ...(locale === undefined ? {} : { locale }),
    ...(request.app === undefined ? {} : { app: request.app }),
    environment: reader.facts().environment,
  }
}
