// Groups of users: a name, and the permission sets that each member holds (docs/decisions.md).
import type { Clock } from '../ports/clock.ts'
import type { OrgStore, OrgTransactor } from '../ports/org-store.ts'
import type { GroupRow, UserRow } from '../ports/people.ts'
import type { OrgWrite } from '../ports/org-write.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { requireActorPermission, recordAudit, type Actor } from './actor.ts'
import {
  requireValidPrincipalKey,
  requireExistingSets,
  requireCurrentVersion,
  writePrincipals,
} from './principal-checks.ts'
import { redactUser } from './redacted-user.ts'

export interface GroupEdit {
  key: string
  name: string
  /** If omitted, the permission sets stay unchanged. */
  permissionSets?: string[]
}

export interface Groups {
  /**
   * Adds or changes a group. `version` is the one that the caller saw, null for a new group.
   * @throws AlmanacError `access.denied`, `request.invalid`, `conflict.exists`, `conflict.stale_principal`, `group.not_found`.
   */
  putGroup(by: Actor, group: GroupEdit, version?: string | null): Promise<GroupRow>
  /**
   * Deletes a group; its members keep everything else that they hold. Returns the former members.
   * @throws AlmanacError `access.denied`, `group.not_found`, `conflict.stale_principal`, `request.invalid`.
   */
  deleteGroup(by: Actor, key: string, version?: string): Promise<string[]>
}

export interface GroupsDeps {
  store: Pick<OrgStore, 'read'>
  write: OrgWrite
  clock: Clock
}

export function createGroups({ write, clock }: GroupsDeps): Groups {
  return {
    putGroup: async (by, { key, name, permissionSets }, version) => {
      requireValidPrincipalKey('group', key)
      return write((transactor) => {
        requireActorPermission(by, transactor, 'access.manage', `to add or change the group ${key}`)
        const before = transactor.people.group(key)
        if (version === null && before !== undefined)
          throw new AlmanacError(
            'conflict.exists',
            `The group "${key}" already exists. Choose a different key.`,
            {
              details: [{ field: 'key' }],
            },
          )
        if (typeof version === 'string') {
          if (before === undefined)
            throw new AlmanacError('group.not_found', `The group "${key}" does not exist in this org.`)
          requireCurrentVersion(transactor, `group/${key}`, { ...before }, version)
        }
        const row: GroupRow = {
          key,
          name,
          permissionSets: [...new Set(permissionSets ?? before?.permissionSets)],
        }
        requireExistingSets(transactor, row.permissionSets, before?.permissionSets)
        const at = clock.now()
        const subject = `group ${key}`
        writePrincipals(transactor, { subject, by, at }, () => transactor.people.putGroup(row))
        recordAudit(transactor, by, at, {
          component: `group/${key}`,
          kind: before === undefined ? 'group.added' : 'group.changed',
          before: before === undefined ? null : { ...before },
          after: { ...row },
        })
        return row
      })
    },
    deleteGroup: (by, key, version) =>
      write((transactor) => {
        requireActorPermission(by, transactor, 'access.manage', `to delete the group ${key}`)
        const before = transactor.people.group(key)
        if (before === undefined)
          throw new AlmanacError('group.not_found', `The group "${key}" does not exist in this org.`)
        requireCurrentVersion(transactor, `group/${key}`, { ...before }, version)
        const members = transactor.people.users().filter(({ groups }) => groups.includes(key))
        const at = clock.now()
        writePrincipals(transactor, { subject: `group ${key}`, by, at }, () => {
          for (const member of members) leave(transactor, by, at, member, key)
          transactor.people.deleteGroup(key)
        })
        const fact = { component: `group/${key}`, kind: 'group.removed', before: { ...before }, after: null }
        recordAudit(transactor, by, at, fact)
        return members.map((member) => member.key)
      }),
  }
}

function leave(
  transactor: Pick<OrgTransactor, 'audit' | 'people'>,
  by: Actor,
  at: string,
  member: UserRow,
  group: string,
): void {
  const row: UserRow = { ...member, groups: member.groups.filter((each) => each !== group) }
  transactor.people.putUser(row)
  const [before, after] = [redactUser(member), redactUser(row)]
  recordAudit(transactor, by, at, { component: `user/${member.key}`, kind: 'user.changed', before, after })
}
