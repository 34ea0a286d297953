// Users, groups and the permission sets assigned to them: runtime state, never components.
import { canonicalLocale, explainLocale } from '#kernel/components/locale-tag.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { Clock } from '../ports/clock.ts'
import type { OrgStore, OrgTransactor } from '../ports/org-store.ts'
import type { UserRow } from '../ports/people.ts'
import type { OrgWrite } from '../ports/org-write.ts'
import type { Randomness } from '../ports/randomness.ts'
import { requireActorPermission, recordAudit, type Actor } from './actor.ts'
import { hashPassword, matchesPassword } from './password.ts'
import {
  requireValidPrincipalKey,
  requireExistingSets,
  requireCurrentVersion,
  writePrincipals,
} from './principal-checks.ts'
import { redactUser } from './redacted-user.ts'

export interface NewUser {
  key: string
  name: string
  locale?: string | null
  groups?: string[]
  permissionSets?: string[]
  password?: string
}

export interface Users {
  /** @throws AlmanacError `conflict.exists`, `request.invalid`, `access.denied`. */
  addUser(by: Actor, user: NewUser): Promise<UserRow>
  /**
   * Changes name, locale, activity, groups and permission sets; `version` is the one that the caller saw.
   * @throws AlmanacError `user.not_found`, `access.denied`, `conflict.stale_principal`.
   */
  changeUser(by: Actor, key: string, change: UserChange, version?: string): Promise<UserRow>
  /**
   * Sets the caller's password, or with access.manage that of any user. Ends every sign-in of that user except `but`.
   * `check` runs in the write.
   */
  setPassword(
    by: Actor,
    key: string,
    password: string,
    but?: string,
    check?: (transactor: OrgTransactor) => void,
  ): Promise<void>
  /**
   * Notes in the audit that the caller views as a user. The reads themselves are not audited, as no read is.
   * @throws AlmanacError `user.not_found`, `access.denied`
   */
  viewAs(by: Actor, key: string): Promise<void>
  /** Whether this is an active user's password. Reveals nothing else, and takes as long for an unknown user. */
  verifyPassword(key: string, password: string): Promise<boolean>
}

export type UserChange = Partial<Pick<UserRow, 'name' | 'active' | 'locale' | 'groups' | 'permissionSets'>>

export interface UsersDeps {
  store: Pick<OrgStore, 'read'>
  write: OrgWrite
  clock: Clock
  random: Randomness
}

export function createUsers({ store, write, clock, random }: UsersDeps): Users {
  return {
    addUser: async (by, { password, ...user }) => {
      requireValidPrincipalKey('user', user.key)
      // Refuses before the costly hash.
      store.read((reader) =>
        requireActorPermission(by, reader, 'access.manage', `to add the user ${user.key}`),
      )
      const passwordHash = password === undefined ? null : await hashPassword(password, user.key, random)
      return write((transactor) => {
        if (transactor.people.user(user.key) !== undefined)
          throw new AlmanacError('conflict.exists', `The user "${user.key}" already exists.`)
        const row: UserRow = {
          locale: null,
          groups: [],
          permissionSets: [],
          ...user,
          ...localeOf(user),
          active: true,
          passwordHash,
        }
        return writeUser(transactor, by, clock.now(), 'user.added', undefined, row)
      })
    },
    changeUser: (by, key, change, version) =>
      write((transactor) => {
        requireActorPermission(by, transactor, 'access.manage', `to change the user ${key}`)
        const before = requireUser(transactor, key)
        requireCurrentVersion(transactor, `user/${key}`, redactUser(before), version)
        // Rights from before a user's deactivation must not return on reactivation.
        if (change.active === false) {
          transactor.signIns.deleteOf(key)
          transactor.tokens.deleteOf(key)
          transactor.invitations.deleteOf(key)
          transactor.invitations.deleteMadeBy(key)
        }
        return writeUser(transactor, by, clock.now(), 'user.changed', before, {
          ...before,
          ...change,
          ...localeOf(change),
        })
      }),
    setPassword: async (by, key, password, but, check) => {
      store.read((reader) => {
        if (by.actor !== key)
          requireActorPermission(by, reader, 'access.manage', `to set the password of the user ${key}`)
      })
      const passwordHash = await hashPassword(password, key, random)
      await write((transactor) => {
        check?.(transactor)
        const before = requireUser(transactor, key)
        writeUser(transactor, by, clock.now(), 'user.password_set', before, { ...before, passwordHash })
        transactor.signIns.deleteOf(key, but)
        transactor.invitations.deleteOf(key)
      })
    },
    viewAs: (by, key) =>
      write((transactor) => {
        requireActorPermission(by, transactor, 'access.manage', `to view as ${key}`)
        requireUser(transactor, key)
        const fact = { component: `user/${key}`, kind: 'user.viewed_as', before: null, after: null }
        recordAudit(transactor, by, clock.now(), fact)
      }),
    verifyPassword: async (key, password) => {
      const user = store.read((reader) => reader.people.user(key))
      const matches = await matchesPassword(password, user?.passwordHash ?? null)
      return matches && user!.active
    },
  }
}

/** In canonical case, so that it matches the entries of its scope. @throws AlmanacError request.invalid */
function localeOf({ locale }: { locale?: string | null }): { locale?: string } {
  if (locale == null) return {}
  const customary = canonicalLocale(locale)
  if (customary === null) throw new AlmanacError('request.invalid', explainLocale(locale))
  return { locale: customary }
}

function requireUser(transactor: Pick<OrgTransactor, 'people'>, key: string): UserRow {
  const user = transactor.people.user(key)
  if (user === undefined)
    throw new AlmanacError('user.not_found', `The user "${key}" does not exist in this org.`)
  return user
}

/** Writes the row after checking that groups and permission sets exist. The audit never contains the hash. */
function writeUser(
  transactor: Pick<OrgTransactor, 'audit' | 'generations' | 'people'>,
  by: Actor,
  at: string,
  kind: string,
  before: UserRow | undefined,
  row: UserRow,
): UserRow {
  for (const group of row.groups)
    if (transactor.people.group(group) === undefined)
      throw new AlmanacError('request.invalid', `The group "${group}" does not exist in this org.`)
  requireExistingSets(transactor, row.permissionSets, before?.permissionSets)
  writePrincipals(transactor, { subject: `user ${row.key}`, by, at }, () => transactor.people.putUser(row))
  const after = redactUser(row)
  recordAudit(transactor, by, at, {
    component: `user/${row.key}`,
    kind,
    before: before === undefined ? null : redactUser(before),
    after,
  })
  return row
}
