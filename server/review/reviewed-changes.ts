// The rows of a plan as a review shows them, grouped by set.
import { afterOf, beforeOf, setLabel } from '#kernel/change/index.ts'
import type { Component } from '#kernel/components/body-types.ts'
import { splitId } from '#kernel/components/component.ts'
import { roomOf } from '#kernel/components/registry.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import type { ReviewedChange } from '#kernel/review/index.ts'
import type { ChangeRow } from '../pipeline/index.ts'

export function reviewedChangesOf(rows: Iterable<ChangeRow>, base: ComponentView): ReviewedChange[] {
  const labels = new Map<string, string>()
  return [...rows].map(({ change, words, lacks }) => {
    const component = (afterOf(change) ?? beforeOf(change)) as Component
    if (component.type === 'config_set' || component.type === 'feature_flag')
      labels.set(component.key, component.label || component.key)
    return {
      kind: change.kind,
      id: change.id,
      group: groupOf(component, labels, base),
      words,
      renamedFrom: change.kind === 'renamed' ? splitId(change.from).key : null,
      lacks: [...new Set(lacks)].join(', '),
    }
  })
}

function groupOf(component: Component, labels: Map<string, string>, base: ComponentView): string {
  if (component.type === 'config_entry') {
    const { set } = component.body
    let label = labels.get(set)
    if (label === undefined) labels.set(set, (label = setLabel(set, base)))
    return label
  }
  if (component.type === 'config_set' || component.type === 'feature_flag')
    return component.label || component.key
  const { plural } = roomOf(component.type)
  return plural.charAt(0).toUpperCase() + plural.slice(1)
}
