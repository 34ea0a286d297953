// Users, groups and effective access as they cross HTTP: types only.
import type { SystemPermission } from '../components/permission-set/body.ts'

export interface UserView {
  key: string
  name: string
  active: boolean
  locale: string | null
  groups: string[]
  /** Those assigned to the user directly. */
  permissionSets: string[]
  password: 'none' | 'set'
  /** Changes with the user; an edit names the version that it saw. */
  version: string
  /** By password, for a browser or a token; null if never. */
  lastSignIn: string | null
  /** A one-time link that can still be used. */
  invitation: OpenInvitation | null
}

/** A one-time link that can still be used, without its secret. */
export interface OpenInvitation {
  /** Key of the user who made it. */
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

/** How a user comes to hold a permission set. */
export interface SetAssignment {
  permissionSet: string
  /** Assigned to the user. */
  direct: boolean
  /** Groups of the user to which it is assigned. */
  groups: string[]
}

/** A right, and the permission sets that give it; none if the user does not hold it. */
export interface RightView {
  right: string
  through: string[]
}

/** What a user can do with one set or flag. */
export interface SetRightsView {
  key: string
  type: 'config_set' | 'feature_flag'
  label: string
  /** What the user sees of it. */
  sees: 'values' | 'definition' | 'nothing'
  canEdit: boolean
  /** `see`, `read`, `edit`: what gives each. */
  rights: RightView[]
  /** What is missing for editing: `config.author`, `edit:<set>`. */
  missing: string[]
}

/** `GET /setup/v3/users/{key}/access`. */
export interface AccessReport {
  user: { key: string; name: string; active: boolean }
  assignments: (SetAssignment & { label: string })[]
  /** Every system permission. */
  system: RightView[]
  sets: SetRightsView[]
  /** By object: what a permission set grants there. */
  objects: { key: string; rights: RightView[] }[]
  /** By `<object>.<field>`. */
  fields: { key: string; rights: RightView[] }[]
}
