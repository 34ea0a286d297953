// Help on permission sets.
import type { ComponentDoc } from '../define.ts'

export const permissionSetDoc: ComponentDoc = {
  summary: 'A permission set is a bundle of permissions that is assigned to people and to integrations.',
  text: `Everything is denied unless a permission set allows it. The permissions of several sets add up; a set never takes permissions away.

The grants on a configuration set are stored **in that set** (read, edit), and the grant to use a principal of a credential is stored in the credential. Assignments are not part of a permission set: they belong to users and groups, and are never deployed.

Changing a permission set requires access.manage.`,
  example: {
    systemPermissions: ['config.author'],
    objects: { invoice: { create: true, read: true, update: true } },
    fields: { 'invoice.amount': { read: true, edit: true } },
  },
}
