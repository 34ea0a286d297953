// Users, groups and the permission sets assigned to them: runtime state, never components (completions 1, 6).
import { customaryLocale, explainLocale } from '#kernel/components/locale-tag.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { Clock } from '../ports/clock.ts'
import type { OrgStore, OrgTransactor, UserRow } from '../ports/org-store.ts'
import type { OrgWrite } from '../ports/org-write.ts'
import type { Randomness } from '../ports/randomness.ts'
import { demandOf, note, type By } from './by.ts'
import { hashPassword, matchesPassword } from './password.ts'
import { checkKey, demandSets, demandVersion, keepManager } from './principal-checks.ts'
import { shownUser } from './shown-user.ts'

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
  addUser(by: By, user: NewUser): Promise<UserRow>
  /**
   * Changes name, locale, activity, groups and permission sets; `version` is the one that the caller saw.
   * @throws AlmanacError `user.not_found`, `access.denied`, `conflict.stale_principal`.
   */
  changeUser(by: By, key: string, change: UserChange, version?: string): Promise<UserRow>
  /**
   * Sets the caller's own, or any with access.manage. Ends every sign-in of that user except the named one. `check`
   * runs in the write.
   */
  setPassword(
    by: By,
    key: string,
    password: string,
    but?: string,
    check?: (transactor: OrgTransactor) => void,
  ): Promise<void>
  /** Whether this is an active user's password. Reveals nothing else, and takes as long for an unknown user. */
  verifyPassword(key: string, password: string): Promise<boolean>
}

export type UserChange = Partial<Pick<UserRow, 'name' | 'active' | 'locale' | 'groups' | 'permissionSets'>>

export interface UsersParts {
  store: Pick<OrgStore, 'read'>
  write: OrgWrite
  clock: Clock
  random: Randomness
}

export function usersOver({ store, write, clock, random }: UsersParts): Users {
  return {
    addUser: async (by, { password, ...user }) => {
      checkKey('user', user.key)
      // Refuses before the costly hash.
      store.read((reader) => demandOf(by, reader, 'access.manage', `to add the user ${user.key}`))
      const passwordHash = password === undefined ? null : await hashPassword(password, user.key, random)
      return write((transactor) => {
        if (transactor.user(user.key) !== undefined)
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
        return written(transactor, by, clock.now(), 'user.added', undefined, row)
      })
    },
    changeUser: (by, key, change, version) =>
      write((transactor) => {
        demandOf(by, transactor, 'access.manage', `to change the user ${key}`)
        const before = demandUser(transactor, key)
        demandVersion(transactor, `user/${key}`, shownUser(before), version)
        // Rights from before a user's deactivation must not return on reactivation.
        if (change.active === false) {
          transactor.deleteSignInsOf(key)
          transactor.deleteTokensOf(key)
          transactor.deleteInvitationOf(key)
          transactor.deleteInvitationsBy(key)
        }
        return written(transactor, by, clock.now(), 'user.changed', before, {
          ...before,
          ...change,
          ...localeOf(change),
        })
      }),
    setPassword: async (by, key, password, but, check) => {
      store.read((reader) => {
        if (by.actor !== key) demandOf(by, reader, 'access.manage', `to set the password of the user ${key}`)
      })
      const passwordHash = await hashPassword(password, key, random)
      await write((transactor) => {
        check?.(transactor)
        const before = demandUser(transactor, key)
        written(transactor, by, clock.now(), 'user.password_set', before, { ...before, passwordHash })
        transactor.deleteSignInsOf(key, but)
        transactor.deleteInvitationOf(key)
      })
    },
    verifyPassword: async (key, password) => {
      const user = store.read((reader) => reader.user(key))
      const matches = await matchesPassword(password, user?.passwordHash ?? null)
      return matches && user!.active
    },
  }
}

/** In canonical case, so that it matches the entries of its scope. @throws AlmanacError request.invalid */
function localeOf({ locale }: { locale?: string | null }): { locale?: string } {
  if (locale == null) return {}
  const customary = customaryLocale(locale)
  if (customary === null) throw new AlmanacError('request.invalid', explainLocale(locale))
  return { locale: customary }
}

function demandUser(transactor: OrgTransactor, key: string): UserRow {
  const user = transactor.user(key)
  if (user === undefined)
    throw new AlmanacError('user.not_found', `The user "${key}" does not exist in this org.`)
  return user
}

/** Writes the row after checking that groups and permission sets exist. The audit never contains the hash. */
function written(
  transactor: OrgTransactor,
  by: By,
  at: string,
  kind: string,
  before: UserRow | undefined,
  row: UserRow,
): UserRow {
  for (const group of row.groups)
    if (transactor.group(group) === undefined)
      throw new AlmanacError('request.invalid', `The group "${group}" does not exist in this org.`)
  demandSets(transactor, row.permissionSets, before?.permissionSets)
  keepManager(transactor, `user ${row.key}`, () => transactor.putUser(row))
  const after = shownUser(row)
  note(transactor, by, at, {
    component: `user/${row.key}`,
    kind,
    before: before === undefined ? null : shownUser(before),
    after,
  })
  return row
}
