// A change to one component; a change list is data (docs/reference/pipeline-and-approvals.md).
import type { ApplyHints, ComponentId } from '../components/component.ts'
import type { Component } from '../components/body-types.ts'
import type { ValueChange } from './value-diff.ts'

export type Change =
  | { kind: 'added'; id: ComponentId; after: Component; hints: ApplyHints }
  | {
      kind: 'changed'
      id: ComponentId
      before: Component
      after: Component
      values: ValueChange[]
      hints: ApplyHints
    }
  | {
      kind: 'renamed'
      id: ComponentId
      from: ComponentId
      before: Component
      after: Component
      values: ValueChange[]
      hints: ApplyHints
    }
  | { kind: 'removed'; id: ComponentId; before: Component }

export type ChangeKind = Change['kind']

export function afterOf(change: Change): Component | null {
  return change.kind === 'removed' ? null : change.after
}

export function beforeOf(change: Change): Component | null {
  return change.kind === 'added' ? null : change.before
}

export interface ChangeCounts {
  added: number
  changed: number
  renamed: number
  removed: number
}

export function countChanges(changes: Iterable<Change>): ChangeCounts {
  const counts: ChangeCounts = { added: 0, changed: 0, renamed: 0, removed: 0 }
  for (const { kind } of changes) counts[kind] += 1
  return counts
}
