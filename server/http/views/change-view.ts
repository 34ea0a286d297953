// A change as the changes page reads it: words, values, findings, and what its author would need (HTTP surface).
import type { Component } from '#kernel/components/body-types.ts'
import { splitId } from '#kernel/components/component.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import {
  afterOf,
  beforeOf,
  changeWords,
  type Change,
  type ChangeWords,
  type ValueChange,
} from '#kernel/change/index.ts'
import type { Finding } from '#kernel/errors/finding.ts'
import { told, type ChangeRow } from '../../pipeline/index.ts'
import { changeListOf, requirementsOf, type EffectiveAccess, type Visibility } from '../../access/index.ts'

export interface ChangeView {
  kind: Change['kind']
  id: string
  type: string
  key: string
  /** Of an entry: its set or flag. */
  set?: string
  words: ChangeWords
  values: readonly ValueChange[]
  before: Component | null
  after: Component | null
  renamedFrom?: string
  /** Places in the list of findings that came with it. */
  findings: number[]
  /** The permissions that it asks for, as in `config.author, edit:vat_rate`. */
  requires: string
  /** Those of them that whoever asks does not hold; null where nothing is lacking. */
  lacks: string | null
}

export interface ChangeViewParts {
  rows: readonly ChangeRow[]
  findings: readonly Finding[]
  access: EffectiveAccess
}

/** Every change of a list, as far as it is told. */
export function changeViews({ rows, findings, access }: ChangeViewParts): ChangeView[] {
  const places = Map.groupBy(findings.keys(), (index) => findings[index]!.component)
  const list = changeListOf(rows.map(({ change }) => change))
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
      ...told(row),
      ...(change.kind === 'renamed' ? { renamedFrom: splitId(change.from).key } : {}),
      findings: places.get(change.id) ?? [],
      requires: [...new Set(requires)].join(', '),
      lacks: lacks.length === 0 ? null : [...new Set(lacks)].join(', '),
    }
  })
}

/** Changes of the past, with words; those of a set that hides itself are left out, as if they were not there. */
export function pastChangeViews(
  changes: readonly Change[],
  view: ComponentView,
  access: EffectiveAccess,
  visibility: Visibility,
): ChangeView[] {
  const shown = (component: Component | null): boolean =>
    component === null || visibility.component(component)
  const rows = changes
    .filter((change) => shown(beforeOf(change)) && shown(afterOf(change)))
    .map((change) => ({ change, words: changeWords(change, view), lacks: [] }))
  return changeViews({ rows, findings: [], access })
}
