// Groups of users: a name, and the permission sets that each member holds (docs/decisions.md).
import type { Clock } from '../ports/clock.ts'
import type { GroupRow, OrgStore } from '../ports/org-store.ts'
import type { OrgWrite } from '../ports/org-write.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { demandOf, note, type By } from './by.ts'
import { checkKey, demandSets, demandVersion, keepManager } from './principal-checks.ts'

export interface GroupEdit {
  key: string
  name: string
  /** If omitted, they stay. */
  permissionSets?: string[]
}

export interface Groups {
  /**
   * Adds or changes a group. `version` is the one that the caller saw, null for a new group.
   * @throws AlmanacError `access.denied`, `request.invalid`, `conflict.exists`, `conflict.stale_principal`, `group.not_found`.
   */
  putGroup(by: By, group: GroupEdit, version?: string | null): Promise<GroupRow>
}

export interface GroupsParts {
  store: Pick<OrgStore, 'read'>
  write: OrgWrite
  clock: Clock
}

export function groupsOver({ write, clock }: GroupsParts): Groups {
  return {
    putGroup: async (by, { key, name, permissionSets }, version) => {
      checkKey('group', key)
      return write((transactor) => {
        demandOf(by, transactor, 'access.manage', `to add or change the group ${key}`)
        const before = transactor.group(key)
        if (version === null && before !== undefined)
          throw new AlmanacError(
            'conflict.exists',
            `There is already a group "${key}". Choose a different key.`,
            {
              details: [{ field: 'key' }],
            },
          )
        if (typeof version === 'string') {
          if (before === undefined)
            throw new AlmanacError('group.not_found', `There is no group "${key}" in this org.`)
          demandVersion(transactor, `group/${key}`, { ...before }, version)
        }
        const row: GroupRow = {
          key,
          name,
          permissionSets: [...new Set(permissionSets ?? before?.permissionSets)],
        }
        demandSets(transactor, row.permissionSets, before?.permissionSets)
        keepManager(transactor, `group ${key}`, () => transactor.putGroup(row))
        note(transactor, by, clock.now(), {
          component: `group/${key}`,
          kind: before === undefined ? 'group.added' : 'group.changed',
          before: before === undefined ? null : { ...before },
          after: { ...row },
        })
        return row
      })
    },
  }
}
