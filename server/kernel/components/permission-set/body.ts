// Body of a permission set: additive rights, default deny.
import { z } from 'zod'
import { key } from '../shapes.ts'
import { systemPermissions } from './system-permissions.ts'

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
