// The room of permission sets.
import { defineComponentType } from '../define.ts'
import { permissionSetBody } from './body.ts'
import { permissionSetDoc } from './doc.ts'
import { permissionReferences, permissionSetRules } from './rules.ts'

export { type SystemPermission } from './system-permissions.ts'

export const permissionSetRoom = defineComponentType({
  type: 'permission_set',
  title: 'permission set',
  plural: 'permission sets',
  author: 'access.manage',
  body: permissionSetBody,
  references: permissionReferences,
  secretSlots: () => [],
  rules: permissionSetRules,
  doc: permissionSetDoc,
})
