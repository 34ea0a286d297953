// Shapes of users, groups and effective access.
import { z } from 'zod'
import { systemPermissions } from '#kernel/components/permission-set/system-permissions.ts'
import type {
  AccessReport,
  GroupView,
  InvitationView,
  OpenInvitation,
  PeopleView,
  UserView,
} from '#wire/people.ts'
import { componentKey, operator } from './common.ts'

export const principalKey = z.string().min(1).max(80)
export const principalName = z.string().trim().min(1, { error: 'Enter a name.' }).max(200)
export const assignedKeys = z.array(componentKey).max(1000)
export const groupKeys = z.array(principalKey).max(1000)
export const seenVersion = z.string().max(100).meta({ description: 'The version that the caller saw.' })
/** Longer than any valid password; the rules are in server/access/password-rules.ts. */
export const newPassword = z.string().max(1024)

export const openInvitation = z
  .object({
    madeBy: z.string(),
    madeByName: z.string(),
    operator: operator.nullable(),
    madeAt: z.string(),
    expiresAt: z.string(),
  })
  .meta({ id: 'OpenInvitation' }) satisfies z.ZodType<OpenInvitation>

export const userSchema = z
  .object({
    key: z.string(),
    name: z.string(),
    active: z.boolean(),
    locale: z.string().nullable(),
    groups: z.array(z.string()),
    permissionSets: z.array(z.string()),
    password: z.enum(['none', 'set']),
    version: z.string(),
    lastSignIn: z.string().nullable(),
    invitation: openInvitation.nullable(),
  })
  .meta({ id: 'User' }) satisfies z.ZodType<UserView>

export const groupSchema = z
  .object({
    key: z.string(),
    name: z.string(),
    permissionSets: z.array(z.string()),
    version: z.string(),
  })
  .meta({ id: 'Group' }) satisfies z.ZodType<GroupView>

export const peopleSchema = z.object({
  users: z.array(userSchema),
  groups: z.array(groupSchema),
  permissionSets: z.array(
    z.object({ key: z.string(), label: z.string(), system: z.array(z.enum(systemPermissions)) }),
  ),
}) satisfies z.ZodType<PeopleView>

export const invitationSchema = z
  .object({ user: z.string(), secret: z.string(), expiresAt: z.string() })
  .meta({ id: 'Invitation' }) satisfies z.ZodType<InvitationView>

const right = z.object({ right: z.string(), through: z.array(z.string()) })
const things = z.array(z.object({ key: z.string(), rights: z.array(right) }))

export const accessReportSchema = z
  .object({
    user: z.object({ key: z.string(), name: z.string(), active: z.boolean() }),
    assignments: z.array(
      z.object({
        permissionSet: z.string(),
        direct: z.boolean(),
        groups: z.array(z.string()),
        label: z.string(),
      }),
    ),
    system: z.array(right),
    sets: z.array(
      z.object({
        key: z.string(),
        type: z.enum(['config_set', 'feature_flag']),
        label: z.string(),
        sees: z.enum(['values', 'definition', 'nothing']),
        canEdit: z.boolean(),
        rights: z.array(right),
        missing: z.array(z.string()),
      }),
    ),
    objects: things,
    fields: things,
  })
  .meta({ id: 'AccessReport' }) satisfies z.ZodType<AccessReport>
