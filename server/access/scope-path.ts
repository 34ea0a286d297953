// Who asks, as far as scopes go (specification 2.3, 2.7.1; completions 2).
import { customaryLocale } from '#kernel/components/locale-tag.ts'
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
  const own = reader.user(access.user)?.locale ?? undefined
  // A user written before tags were checked may have one in another case.
  const locale = own === undefined ? request.locale : (customaryLocale(own) ?? own)
  return {
    user: access.user,
    permission_set: [...access.permissionSets],
    ...(locale === undefined ? {} : { locale }),
    ...(request.app === undefined ? {} : { app: request.app }),
    environment: reader.facts().environment,
  }
}
