// Form of a permission set.
import type { FieldDescriptor, FormDescriptor } from '../form.ts'
import { systemPermissions, type SystemPermission } from './system-permissions.ts'

const systemPermissionHelp: Record<SystemPermission, { label: string; help: string }> = {
  'metadata.author': {
    label: 'Author structure',
    help: 'Define configuration sets, objects, automations and integrations.',
  },
  'config.author': {
    label: 'Author configuration',
    help: 'Change entries and flags, if the permission set also grants edit on them.',
  },
  'access.manage': { label: 'Manage access', help: 'Change users, groups, permission sets and all grants.' },
  'deploy.approve': { label: 'Approve deploys', help: 'Approve the change requests of others.' },
  'audit.read': { label: 'Read the audit', help: 'See who changed what, and why.' },
  'operations.manage': {
    label: 'Manage operations',
    help: 'Purge generations, read metrics, and manage the stored results of other users.',
  },
  'integration.manage_credentials': {
    label: 'Write credentials',
    help: 'Write secrets to the store. They cannot be read back.',
  },
  'platform.root': {
    label: 'Bypass every check',
    help: 'Skips every access check. The audit records who has it.',
  },
}

const right = (path: string, label: string, help: string): FieldDescriptor => ({
  path,
  label,
  help,
  widget: 'switch',
})

export const permissionSetForm: FormDescriptor = {
  sections: [
    {
      title: 'System permissions',
      fields: [
        {
          path: 'systemPermissions',
          label: 'System permissions',
          help: 'Permissions on the platform itself. Each is off by default.',
          widget: 'multiselect',
          options: systemPermissions.map((value) => ({ value, ...systemPermissionHelp[value] })),
        },
      ],
    },
    {
      title: 'Records',
      fields: [
        {
          path: 'objects',
          label: 'Objects',
          help: 'What holders can do with the records of each object.',
          widget: 'map',
          refTypes: ['object'],
          fields: [
            right('create', 'Create', 'Create records.'),
            right('read', 'Read', 'See the records that are shared with them.'),
            right('update', 'Change', 'Change the records that are shared with them for writing.'),
            right('delete', 'Delete', 'Delete the records that are shared with them for writing.'),
            right('viewAll', 'View all', 'See every record, regardless of sharing.'),
            right('modifyAll', 'Modify all', 'Change every record, regardless of sharing.'),
          ],
        },
        {
          path: 'fields',
          label: 'Fields',
          help: 'What holders can do with individual fields, written as <object>.<field>.',
          widget: 'map',
          ofFields: true,
          fields: [right('read', 'Read', 'See the field.'), right('edit', 'Edit', 'Change the field.')],
        },
      ],
    },
  ],
}
