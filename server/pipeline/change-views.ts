// The changes of a list as every interface shows them: description, values, findings, and required permissions.
import { splitId } from '#kernel/components/component.ts'
import { afterOf, beforeOf } from '#kernel/change/index.ts'
import type { Finding } from '#kernel/errors/finding.ts'
import type { ChangeView } from '#wire/index.ts'
import { setChangesOf, requirementsOf, type EffectiveAccess, type SetChanges } from '../access/index.ts'
import { redactChange } from './change-redaction.ts'
import { lazyMap, type LazyList } from './lazy-list.ts'
import type { ChangeRow } from './request.ts'

export interface ChangeViewInput {
  rows: LazyList<ChangeRow>
  findings: readonly Finding[]
  /** The user whose permissions the changes require. */
  access: Pick<EffectiveAccess, 'user'>
}

/** Returns the visible changes of a list, each created when it is read. */
export function changeViews({ rows, findings, access }: ChangeViewInput): LazyList<ChangeView> {
  const places = Map.groupBy(findings.keys(), (index) => findings[index]!.component)
  let list: SetChanges | undefined
  return lazyMap(rows, (row) => {
    list ??= setChangesOf(lazyMap(rows, ({ change }) => change))
    const { change, words, lacks } = row
    const { type, key } = splitId(change.id)
    const component = (afterOf(change) ?? beforeOf(change))!
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
