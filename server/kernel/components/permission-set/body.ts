// Body of a permission set: additive rights, default deny.
import { z } from 'zod'
import { key } from '../shapes.ts'

export const systemPermissions = [
  'metadata.author',
  'config.author',
  'access.manage',
  'deploy.approve',
  'audit.read',
  'operations.manage',
  'integration.manage_credentials',
  'platform.root',
] as const
export type SystemPermission = (typeof systemPermissions)[number]

/** A user with one of these can save drafts. The permission that an apply needs depends on each change. */
export const authorPermissions = [
  'metadata.author',
  'config.author',
  'access.manage',
] as const satisfies readonly SystemPermission[]
export type AuthorPermission = (typeof authorPermissions)[number]

const right = z.boolean().default(false)

export const objectRights = z.strictObject({
  create: right,
  read: right,
  update: right,
  delete: right,
  viewAll: right,
  modifyAll: right,
})

export const fieldRights = z.strictObject({ read: right, edit: right })

export const permissionSetBody = z.strictObject({
  systemPermissions: z
    .array(z.enum(systemPermissions))
    .default([])
    .transform((held) => [...new Set(held)].sort()),
  objects: z.record(key, objectRights).default({}),
  /** `<object>.<field>` → rights. */
  fields: z.record(z.string(), fieldRights).default({}),
})

export type PermissionSetBody = z.output<typeof permissionSetBody>
