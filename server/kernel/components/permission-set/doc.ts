// Help on permission sets.
import type { ComponentDoc } from '../define.ts'

export const permissionSetDoc: ComponentDoc = {
  summary: 'A permission set is a bundle of rights that is given to people and to integrations.',
  text: `Nothing is allowed unless a permission set allows it; rights of several sets add up, and none takes away.

The rights on one configuration set stand **on that set** (read, edit), and the right to use a credential's principal stands on the credential. Who holds a permission set is not part of it: that is given to users and groups and never travels with a deploy.

Changing a permission set needs access.manage.`,
  example: {
    systemPermissions: ['config.author'],
    objects: { invoice: { create: true, read: true, update: true } },
    fields: { 'invoice.amount': { read: true, edit: true } },
  },
}
