// Details of a component for the studio: uses, entries, the facts of its row in a list.
import type { Component } from '#kernel/components/body-types.ts'
import { splitId, type ComponentId, type ComponentType } from '#kernel/components/component.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import { daysLeft } from '#kernel/components/feature-flag/lifetime.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { didYouMean } from '#kernel/errors/suggest.ts'
import type { ComponentFacts } from '#wire/index.ts'
import { entryCount, whereUsed, type ReferenceGraph, type Usage } from '#kernel/graph/index.ts'
import type { Visibility } from '../../access/index.ts'
import type { Snapshot } from '../../pipeline/index.ts'
import type { OrgReader } from '../../ports/org-store.ts'
import { entryKeysOf } from './entry-keys.ts'

/** @throws AlmanacError `component.not_found`, the same for a hidden component and one that does not exist. */
export function shownComponent(shown: ComponentView, type: ComponentType, key: string): Component {
  const component = shown.get(type, key) as Component | undefined
  if (component !== undefined) return component
  const near = type === 'config_entry' ? '' : didYouMean(key, shown.keys(type))
  throw new AlmanacError('component.not_found', `The ${type} "${key}" does not exist in this org.${near}`)
}

/**
 * Returns the uses that the caller can see; the entries of a set are counted separately. Uses of a value of a value set
 * depend on values and expressions, so they come from the graph of the active generation.
 */
export function usagesOf(
  reader: OrgReader,
  generation: number,
  id: ComponentId,
  shown: ComponentView,
  { graph, member }: { graph?: () => ReferenceGraph; member?: string } = {},
): Usage[] {
  if (graph !== undefined && splitId(id).type === 'value_set')
    return whereUsed({ ...graph(), view: shown }, id, member).filter(({ from }) => isShown(from, shown))
  return reader.referrers(generation, id).flatMap((reference) => {
    if (member !== undefined && reference.member !== member) return []
    const { type, key } = splitId(reference.from)
    const from = shown.get(type, key) as Component | undefined
    if (from === undefined) return []
    const use = { from: reference.from, path: reference.path, label: from.label }
    return [reference.member === undefined ? use : { ...use, member: reference.member }]
  })
}

const isShown = (id: ComponentId, shown: ComponentView): boolean =>
  shown.has(splitId(id).type, splitId(id).key)

/** Counts the entries of a set or flag, or with a value of a value set, that the caller can read; otherwise 0. */
export function entryCountOf(
  { view }: Pick<Snapshot, 'view'>,
  visibility: Visibility,
  id: ComponentId,
  held?: { graph: () => ReferenceGraph; shown: ComponentView },
): number {
  const { type, key } = splitId(id)
  if (type === 'value_set' && held !== undefined) return entryCount({ ...held.graph(), view: held.shown }, id)
  if (type !== 'config_set' && type !== 'feature_flag') return 0
  return visibility.canSeeValues(key) ? entryKeysOf(view, key).length : 0
}

/** Returns what a list shows next to the label of a component; undefined if there is nothing more. */
export function rowFacts(
  component: Component,
  snapshot: Snapshot,
  visibility: Visibility,
  today: string,
): ComponentFacts | undefined {
  switch (component.type) {
    case 'config_entry': {
      const { set, key, scope, effectiveFrom, effectiveTo, values, priority } = component.body
      return {
        set,
        key: key ?? null,
        scope,
        priority,
        effectiveFrom: effectiveFrom ?? null,
        effectiveTo: effectiveTo ?? null,
        values,
      }
    }
    case 'feature_flag': {
      const left = daysLeft(component.body.expiresOn, today)
      return {
        owner: component.body.owner,
        expiresOn: component.body.expiresOn,
        daysLeft: left,
        frozen: left < 0,
      }
    }
    case 'config_set':
      return { entries: entryCountOf(snapshot, visibility, `config_set/${component.key}`) }
    default:
      return undefined
  }
}
