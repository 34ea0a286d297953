// Effective access in words: what each permission allows, and the chain that gives a right.
import type { AccessReport, RightView } from '../../api/people.ts'
import type { SystemPermission } from '#kernel/components/permission-set/system-permissions.ts'

export const permissionWords: Record<SystemPermission, string> = {
  'metadata.author': 'Define sets, objects, automations and other components',
  'config.author': 'Edit entries and flags for which the permission set grants edit',
  'access.manage': 'Manage users, groups, permission sets and grants',
  'deploy.approve': 'Approve other users’ change requests',
  'audit.read': 'Read the audit',
  'operations.manage': 'Purge generations, read metrics and manage other users’ stored results',
  'integration.manage_credentials': 'Manage integration credentials',
  'platform.root': 'Do everything, without further checks',
}

export interface Link {
  permissionSet: string
  label: string
  /** `directly`, `through Finance`. */
  ways: string
}

/** The permission sets that give a right, each with the way in which the user holds it. */
export function chainOf(
  { through }: Pick<RightView, 'through'>,
  { assignments }: Pick<AccessReport, 'assignments'>,
  groupName: (key: string) => string,
): Link[] {
  return through.flatMap((key) => {
    const assignment = assignments.find(({ permissionSet }) => permissionSet === key)
    if (assignment === undefined) return []
    const ways = [
      ...(assignment.direct ? ['directly'] : []),
      ...(assignment.groups.length > 0 ? [`through ${assignment.groups.map(groupName).join(', ')}`] : []),
    ]
    return [{ permissionSet: key, label: assignment.label, ways: ways.join(' and ') }]
  })
}

/** What is missing, in readable words: `edit:vat_rate` is a grant, the others are permissions. */
export function missingWords(missing: readonly string[]): string {
  return missing
    .map((each) => (each.startsWith('edit:') ? 'an edit grant' : `the permission ${each}`))
    .join(' and ')
}
