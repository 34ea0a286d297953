// Form of a permission set.
import type { FieldDescriptor, FormDescriptor } from '../form.ts'
import { systemPermissions, type SystemPermission } from './body.ts'

const systemPermissionHelp: Record<SystemPermission, { label: string; help: string }> = {
  'metadata.author': {
    label: 'Author structure',
    help: 'Define configuration sets, objects, automations and integrations.',
  },
  'config.author': {
    label: 'Author configuration',
    help: 'Change entries and flags, where a set also grants edit.',
  },
  'access.manage': { label: 'Manage access', help: 'Users, groups, permission sets and every grant.' },
  'deploy.approve': { label: 'Approve deploys', help: 'Approve the change requests of others.' },
  'audit.read': { label: 'Read the audit', help: 'See who changed what, and why.' },
  'operations.manage': { label: 'Manage operations', help: 'Outbox, jobs, breakers and subscriptions.' },
  'integration.manage_credentials': {
    label: 'Write credentials',
    help: 'Put secrets into the store. Nobody reads them back.',
  },
  'platform.root': {
    label: 'Bypass every check',
    help: 'Every access check is skipped. The audit records that it is held.',
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
          help: 'Rights over the platform itself. Each is off unless it is given.',
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
          help: 'What holders may do with the records of each object.',
          widget: 'map',
          refTypes: ['object'],
          fields: [
            right('create', 'Create', 'Make new records.'),
            right('read', 'Read', 'See the records that sharing opens.'),
            right('update', 'Change', 'Change the records that sharing opens for writing.'),
            right('delete', 'Delete', 'Delete such records.'),
            right('viewAll', 'View all', 'See every record, whatever sharing says.'),
            right('modifyAll', 'Modify all', 'Change every record, whatever sharing says.'),
          ],
        },
        {
          path: 'fields',
          label: 'Fields',
          help: 'What holders may do with single fields, written <object>.<field>.',
          widget: 'map',
          fields: [right('read', 'Read', 'See the field.'), right('edit', 'Edit', 'Change the field.')],
        },
      ],
    },
  ],
}
