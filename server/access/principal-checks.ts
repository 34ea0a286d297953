// The checks of every write of a user or a group: its key, the names in it, the version that the caller saw, and that a
// manager remains.
import { createHash } from 'node:crypto'
import { canonicalJson, type JsonValue } from '#kernel/change/canonical.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { OrgTransactor } from '../ports/org-store.ts'
import type { Actor } from './actor.ts'
import { accessManagersOf } from './assignments.ts'
import { usersWithAllSets } from './assigned-sets.ts'
import { writeRecordingRootClients } from './root-clients.ts'

/** `*` means everybody; invisible characters could pass for another key. */
const principalKey = /^(?!\*$)[^\s:\p{C}]{1,80}$/u

/** @throws AlmanacError `request.invalid` */
export function requireValidPrincipalKey(what: string, key: string): void {
  if (principalKey.test(key)) return
  throw new AlmanacError(
    'request.invalid',
    `"${key}" is not a valid key of a ${what}. Use 1 to 80 visible characters without spaces or colons; * alone is not allowed.`,
    { details: [{ field: 'key' }] },
  )
}

/** Requires that newly assigned permission sets exist. @throws AlmanacError `request.invalid` */
export function requireExistingSets(
  transactor: Pick<OrgTransactor, 'generations'>,
  assigned: readonly string[],
  before: readonly string[] = [],
): void {
  const view = transactor.generations.view(transactor.generations.active())
  const unknown = assigned.find((key) => !before.includes(key) && !view.has('permission_set', key))
  if (unknown !== undefined)
    throw new AlmanacError('request.invalid', `The permission set "${unknown}" does not exist in this org.`)
}

/** The version of a user or group as shown; equal content has the same version. */
export function versionOf(shown: JsonValue): string {
  return createHash('sha256').update(canonicalJson(shown)).digest('hex').slice(0, 16)
}

/**
 * @throws AlmanacError `conflict.stale_principal`, naming the user who changed it; without a version, nothing is
 * compared
 */
export function requireCurrentVersion(
  transactor: Pick<OrgTransactor, 'audit' | 'people'>,
  component: string,
  now: { key: string; name: string } & JsonValue,
  seen: string | undefined,
): void {
  const version = versionOf(now)
  if (seen === undefined || seen === version) return
  const last = transactor.audit
    .list({ component, limit: 50 })
    .find(({ kind }) => /^(user|group)\./.test(kind))
  const who = last === undefined ? '' : ` by ${transactor.people.user(last.actor)?.name ?? last.actor}`
  throw new AlmanacError(
    'conflict.stale_principal',
    `${now.name} was changed${who} since you opened this page. Nothing was saved. Check the current values, then save again.`,
    { details: [{ id: component, version }] },
  )
}

/**
 * Runs a write of users or groups, unless no user could change rights after it. Every one goes through here.
 * @throws AlmanacError `request.invalid`
 */
export function writePrincipals(
  transactor: Pick<OrgTransactor, 'audit' | 'generations' | 'people'>,
  { subject, ...by }: { subject: string; by: Actor; at: string },
  write: () => void,
): void {
  const view = transactor.generations.view(transactor.generations.active())
  const before = accessManagersOf(usersWithAllSets(transactor.people), view)
  writeRecordingRootClients(transactor, by, write)
  if (before.length === 0 || accessManagersOf(usersWithAllSets(transactor.people), view).length > 0) return
  throw new AlmanacError(
    'request.invalid',
    `After this change to the ${subject}, no active user would hold access.manage, so nobody could change permissions. First assign a permission set with access.manage to another active user.`,
  )
}
