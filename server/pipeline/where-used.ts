// Where a component is used, as far as the caller can see it.
import type { Component } from '#kernel/components/body-types.ts'
import { componentId, splitId, type ComponentId, type ComponentType } from '#kernel/components/component.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { didYouMean } from '#kernel/errors/suggest.ts'
import { entryCount, requireMember, whereUsed, type ReferenceGraph, type Usage } from '#kernel/graph/index.ts'
import type { WhereUsedView } from '#wire/index.ts'
import type { Visibility } from '../access/index.ts'
import type { OrgReader } from '../ports/org-store.ts'
import { entryKeysOf } from './entry-keys.ts'
import type { Snapshot } from './snapshot-cache.ts'

/** @throws AlmanacError `component.not_found`, the same for a hidden component and one that does not exist. */
export function requireComponent(shown: ComponentView, type: ComponentType, key: string): Component {
  const component = shown.get(type, key) as Component | undefined
  if (component !== undefined) return component
  const near = type === 'config_entry' ? '' : didYouMean(key, shown.keys(type))
  throw new AlmanacError('component.not_found', `The ${type} "${key}" does not exist in this org.${near}`)
}

export interface UsageRequest {
  type: ComponentType
  key: string
  /** Returns only uses of this field of a set or an object, or of this value of a value set. */
  member?: string | undefined
}

/** What the caller sees of a generation. */
export interface UsageContext {
  snapshot: Pick<Snapshot, 'generation' | 'view'>
  shown: ComponentView
  visibility: Visibility
  /** The reference graph of the active generation. */
  graph: () => ReferenceGraph
}

/** @throws AlmanacError `component.not_found`, `request.invalid` */
export function whereUsedView(
  reader: OrgReader,
  { snapshot, shown, visibility, graph }: UsageContext,
  { type, key, member }: UsageRequest,
): WhereUsedView {
  requireComponent(shown, type, key)
  const id = componentId(type, key)
  if (member !== undefined) requireMember(shown, id, member)
  return {
    usages: usagesOf(reader, snapshot.generation, id, shown, { graph, member }),
    entries: entryCountOf(snapshot, visibility, id, { graph, shown }),
  }
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
  { graph, member }: { graph?: () => ReferenceGraph; member?: string | undefined } = {},
): Usage[] {
  if (graph !== undefined && splitId(id).type === 'value_set')
    return whereUsed({ ...graph(), view: shown }, id, member).filter(({ from }) => isShown(from, shown))
  return reader.components.referrers(generation, id).flatMap((reference) => {
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
  values?: Pick<UsageContext, 'graph' | 'shown'>,
): number {
  const { type, key } = splitId(id)
  if (type === 'value_set' && values !== undefined)
    return entryCount({ ...values.graph(), view: values.shown }, id)
  if (type !== 'config_set' && type !== 'feature_flag') return 0
  return visibility.canSeeValues(key) ? entryKeysOf(view, key).length : 0
}
