// The change from one version of a component to another, in words, for every page of a deploy.
import { describeChange, diffValues, type Change } from '#kernel/change/index.ts'
import type { Component } from '#kernel/components/body-types.ts'
import { idOf } from '#kernel/components/component.ts'
import { itemKeysOf } from '#kernel/components/item-keys.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import type { ComparedChange } from '#wire/remotes.ts'

/** The change itself; null if neither version exists. */
export function changeBetween(before: Component | null, after: Component | null): Change | null {
  if (before === null) return after === null ? null : { kind: 'added', id: idOf(after), after, hints: {} }
  const id = idOf(before)
  if (after === null) return { kind: 'removed', id, before }
  const values = diffValues(before, after, itemKeysOf(after.type))
  return { kind: 'changed', id, before, after, values, hints: {} }
}

/** @param view gives the labels of sets and fields */
export function comparedChange(
  before: Component | null,
  after: Component | null,
  view: ComponentView,
): ComparedChange | null {
  const change = changeBetween(before, after)
  if (change === null || change.kind === 'renamed') return null
  const values = change.kind === 'changed' ? change.values : []
  return { kind: change.kind, words: describeChange(change, view), values }
}
