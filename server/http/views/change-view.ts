// Converts a change for the changes page: description, values, findings, and required permissions.
import { splitId } from '#kernel/components/component.ts'
import { afterOf, beforeOf } from '#kernel/change/index.ts'
import type { Finding } from '#kernel/errors/finding.ts'
import type { ChangeView } from '#wire/index.ts'
import { redactChange, type ChangeRow } from '../../pipeline/index.ts'
import { setChangesOf, requirementsOf, type EffectiveAccess } from '../../access/index.ts'

export interface ChangeViewInput {
  rows: readonly ChangeRow[]
  findings: readonly Finding[]
  access: Pick<EffectiveAccess, 'user'>
}

/** Returns the visible changes of a list. */
export function changeViews({ rows, findings, access }: ChangeViewInput): ChangeView[] {
  const places = Map.groupBy(findings.keys(), (index) => findings[index]!.component)
  const list = setChangesOf(rows.map(({ change }) => change))
  return rows.map((row) => {
    const { change, words, lacks } = row
    const { type, key } = splitId(change.id)
    const before = beforeOf(change)
    const component = (afterOf(change) ?? before)!
    const requires = requirementsOf(change, list, access.user).map((need) =>
      need.kind === 'system' ? need.permission : `edit:${need.set}`,
    )
    return {
      kind: change.kind,
      id: change.id,
      type,
      key,
      ...(component.type === 'config_entry' ? { set: component.body.set } : {}),
      words,
      ...redactChange(row),
      ...(change.kind === 'renamed' ? { renamedFrom: splitId(change.from).key } : {}),
      findings: places.get(change.id) ?? [],
      requires: [...new Set(requires)].join(', '),
      lacks: lacks.length === 0 ? null : [...new Set(lacks)].join(', '),
    }
  })
}
