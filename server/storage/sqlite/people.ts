// Users, groups, tokens and settings: runtime state, never components.
import type { JsonValue } from '#kernel/change/canonical.ts'
import type { GroupRow, OrgReader, OrgTransactor, TokenRow, UserRow } from '../../ports/org-store.ts'
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

type PeopleReads = Pick<OrgReader, 'user' | 'users' | 'group' | 'groups' | 'token' | 'setting'>
type PeopleWrites = Pick<
  OrgTransactor,
  | 'putUser'
  | 'putGroup'
  | 'deleteGroup'
  | 'putToken'
  | 'deleteTokensOf'
  | 'deleteExpiredTokens'
  | 'moveTokens'
  | 'putSetting'
  | 'deleteSetting'
>

export function peopleReads(db: Db): PeopleReads {
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
    token: (hash) =>
      one<TokenRow>(
        db,
        'SELECT hash, client, user, expires_at AS expiresAt, operator FROM token WHERE hash = ?',
        hash,
      ),
    setting: (name) => {
      const row = one<{ json: string }>(db, 'SELECT json FROM setting WHERE name = ?', name)
      return row === undefined ? undefined : (JSON.parse(row.json) as JsonValue)
    },
  }
}

export function peopleWrites(db: Db): PeopleWrites {
  return {
    putUser: (row) => putUser(db, row),
    putGroup: ({ key, name, permissionSets }) =>
      void run(
        db,
        'INSERT OR REPLACE INTO user_group (key, name, permission_sets) VALUES (@key, @name, @sets)',
        { key, name, sets: JSON.stringify(permissionSets) },
      ),
    deleteGroup: (key) => void run(db, 'DELETE FROM user_group WHERE key = ?', key),
    putToken: (row) =>
      void run(
        db,
        `INSERT INTO token (hash, client, user, expires_at, operator)
         VALUES (@hash, @client, @user, @expiresAt, @operator)`,
        { ...row },
      ),
    deleteTokensOf: (user) => void run(db, 'DELETE FROM token WHERE user = ?', user),
    deleteExpiredTokens: (now) => void run(db, 'DELETE FROM token WHERE expires_at <= ?', now),
    moveTokens: (moves) => {
      const json = JSON.stringify([...moves])
      run(
        db,
        'DELETE FROM token WHERE client IN (SELECT value ->> 0 FROM json_each(?) WHERE value ->> 1 IS NULL)',
        json,
      )
      const sql = `UPDATE token SET client = moved.value ->> 1 FROM json_each(?) AS moved WHERE client = moved.value ->> 0`
      run(db, sql, json)
    },
    deleteSetting: (name) => void run(db, 'DELETE FROM setting WHERE name = ?', name),
    putSetting: (name, value) =>
      void run(db, 'INSERT OR REPLACE INTO setting VALUES (?, ?)', name, JSON.stringify(value)),
  }
}

function putUser(db: Db, row: UserRow): void {
  run(
    db,
    'INSERT OR REPLACE INTO user VALUES (?, ?, ?, ?, ?, ?, ?)',
    row.key,
    row.name,
    row.active ? 1 : 0,
    row.locale,
    row.passwordHash,
    JSON.stringify(row.groups),
    JSON.stringify(row.permissionSets),
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
