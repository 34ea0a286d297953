// Users and groups in storage: runtime state, never components.
export interface UserRow {
  key: string
  name: string
  active: boolean
  locale: string | null
  passwordHash: string | null
  groups: string[]
  permissionSets: string[]
}

export interface GroupRow {
  key: string
  name: string
  /** Permission sets that each member holds. */
  permissionSets: string[]
}

export interface PeopleReader {
  user(key: string): UserRow | undefined
  users(): UserRow[]
  group(key: string): GroupRow | undefined
  groups(): GroupRow[]
}

export interface PeopleTransactor extends PeopleReader {
  putUser(row: UserRow): void
  putGroup(row: GroupRow): void
  deleteGroup(key: string): void
}
