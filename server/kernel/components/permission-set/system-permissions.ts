// The rights of a permission set over the org itself.

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
