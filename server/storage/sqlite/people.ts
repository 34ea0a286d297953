// Users and groups: runtime state, never components.
import type { GroupRow, PeopleReader, PeopleTransactor, UserRow } from '../../ports/people.ts'
import { all, one, run, type Db } from './db.ts'

interface StoredUser {
  key: string
  name: string
  active: number
  locale: string | null
  password_hash: string | null
  member_of: string
  permission_sets: string
}

interface StoredGroup {
  key: string
  name: string
  permission_sets: string
}

export function peopleReader(db: Db): PeopleReader {
  return {
    user: (key) => {
      const row = one<StoredUser>(db, 'SELECT * FROM user WHERE key = ?', key)
      return row === undefined ? undefined : userOf(row)
    },
    users: () => all<StoredUser>(db, 'SELECT * FROM user ORDER BY key').map(userOf),
    group: (key) => {
      const row = one<StoredGroup>(db, 'SELECT key, name, permission_sets FROM user_group WHERE key = ?', key)
      return row === undefined ? undefined : groupOf(row)
    },
    groups: () =>
      all<StoredGroup>(db, 'SELECT key, name, permission_sets FROM user_group ORDER BY key').map(groupOf),
  }
}

export function peopleTransactor(db: Db, reader: PeopleReader): PeopleTransactor {
  return {
    ...reader,
    putUser: (row) => putUser(db, row),
    putGroup: ({ key, name, permissionSets }) =>
      void run(
        db,
        'INSERT OR REPLACE INTO user_group (key, name, permission_sets) VALUES (@key, @name, @sets)',
        { key, name, sets: JSON.stringify(permissionSets) },
      ),
    deleteGroup: (key) => void run(db, 'DELETE FROM user_group WHERE key = ?', key),
  }
}

function putUser(db: Db, { key, name, active, locale, passwordHash, groups, permissionSets }: UserRow): void {
  run(
    db,
    `INSERT OR REPLACE INTO user (key, name, active, locale, password_hash, member_of, permission_sets)
     VALUES (@key, @name, @active, @locale, @passwordHash, @groups, @permissionSets)`,
    {
      key,
      name,
      active: active ? 1 : 0,
      locale,
      passwordHash,
      groups: JSON.stringify(groups),
      permissionSets: JSON.stringify(permissionSets),
    },
  )
}

function userOf(row: StoredUser): UserRow {
  return {
    key: row.key,
    name: row.name,
    active: row.active === 1,
    locale: row.locale,
    passwordHash: row.password_hash,
    groups: JSON.parse(row.member_of) as string[],
    permissionSets: JSON.parse(row.permission_sets) as string[],
  }
}

function groupOf({ key, name, permission_sets }: StoredGroup): GroupRow {
  return { key, name, permissionSets: JSON.parse(permission_sets) as string[] }
}
