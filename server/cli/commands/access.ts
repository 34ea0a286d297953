// almanac access: shows what a user can see and do, and through which permission sets and groups.
import type { AccessReport, RightView } from '#wire/people.ts'
import { tableText } from '../table.ts'
import type { Terminal } from '../terminal.ts'
import type { Run } from '../command-definition.ts'

export const run: Run = async (call) => {
  const { terminal } = call
  const [user = ''] = call.args
  const report = await (await call.org()).accessOf(user)
  await terminal.data(report)
  terminal.print(() => accessText(terminal, report).join('\n\n'))
}

function accessText(terminal: Terminal, report: AccessReport): string[] {
  const { user, assignments, system, sets, objects, fields } = report
  if (!user.active) return [`${user.name} is deactivated and has no permissions.`]
  const list = (head: string[], rows: string[][]): string[] =>
    rows.length === 0 ? [] : [tableText(terminal, head, rows)]
  const things = [...objects, ...fields].flatMap(({ key, rights }) =>
    rights.map((each) => [key, each.right, waysOf(each)]),
  )
  return [
    assignments.length === 0
      ? `${user.name} has no permission sets.`
      : tableText(
          terminal,
          ['permission set', 'assigned'],
          assignments.map(({ permissionSet, direct, groups }) => [
            permissionSet,
            [...(direct ? ['directly'] : []), ...groups.map((group) => `through group ${group}`)].join(', '),
          ]),
        ),
    ...list(
      ['permission', 'through'],
      system.filter(({ through }) => through.length > 0).map((each) => [each.right, waysOf(each)]),
    ),
    ...list(
      ['set or flag', 'sees', 'edits', 'through', 'missing for editing'],
      sets.map(({ key, sees, canEdit, rights, missing }) => [
        key,
        sees,
        canEdit ? 'yes' : 'no',
        [...new Set(rights.flatMap(({ through }) => through))].join(', '),
        missing.join(', '),
      ]),
    ),
    ...list(['object or field', 'right', 'through'], things),
  ]
}

function waysOf({ through }: RightView): string {
  return through.join(', ')
}
