// HTTP types of users, groups and effective access.
import type { PermissionSetBody } from '#kernel/components/permission-set/body.ts'
import type { SystemPermission } from '#kernel/components/permission-set/system-permissions.ts'

export interface UserView {
  key: string
  name: string
  active: boolean
  locale: string | null
  groups: string[]
  /** Permission sets assigned to the user directly. */
  permissionSets: string[]
  password: 'none' | 'set'
  /** Changes with the user; an edit names the version that it saw. */
  version: string
  /** The last sign-in by password, for a browser or a token; null if never. */
  lastSignIn: string | null
  /** A one-time link that can still be used. */
  invitation: OpenInvitation | null
}

/** A one-time link that can still be used, without its secret. */
export interface OpenInvitation {
  /** Key of the user who created it. */
  madeBy: string
  madeByName: string
  /** The user of the operating system who acted as `madeBy`. */
  operator: string | null
  madeAt: string
  expiresAt: string
}

export interface GroupView {
  key: string
  name: string
  permissionSets: string[]
  version: string
}

/** `GET /setup/v3/users`. */
export interface PeopleView {
  users: UserView[]
  groups: GroupView[]
  permissionSets: { key: string; label: string; system: SystemPermission[] }[]
}

/** `POST /setup/v3/users/{key}/invitation`. The secret is shown here and never again. */
export interface InvitationView {
  user: string
  secret: string
  expiresAt: string
}

/** How a permission set is assigned to a user. */
export interface SetAssignment {
  permissionSet: string
  /** Assigned to the user. */
  direct: boolean
  /** Groups of the user to which it is assigned. */
  groups: string[]
}

/** A right, and the permission sets that grant it; none if the user does not have it. */
export interface RightView {
  right: string
  through: string[]
}

/** What a user can do with one set or flag. */
export interface SetRightsView {
  key: string
  type: 'config_set' | 'feature_flag'
  label: string
  /** What the user can see of it. */
  sees: 'values' | 'definition' | 'nothing'
  canEdit: boolean
  /** `see`, `read`, `edit`, each with the permission sets that grant it. */
  rights: RightView[]
  /** The permissions missing for editing: `config.author`, `edit:<set>`. */
  missing: string[]
}

/** `GET /setup/v3/users/{key}/access`. */
export interface AccessReport {
  user: { key: string; name: string; active: boolean }
  assignments: (SetAssignment & { label: string })[]
  /** Every system permission. */
  system: RightView[]
  sets: SetRightsView[]
  /** Rights by object. */
  objects: { key: string; rights: RightView[] }[]
  /** Rights by `<object>.<field>`. */
  fields: { key: string; rights: RightView[] }[]
}

/** `GET /setup/v3/access/me`. */
export interface AccessView {
  user: string
  permissionSets: readonly string[]
  system: SystemPermission[]
  readSets: string[]
  editSets: string[]
  objects: Readonly<PermissionSetBody['objects']>
  /** By `<object>.<field>`. */
  fields: Readonly<PermissionSetBody['fields']>
  platformRoot: boolean
}
