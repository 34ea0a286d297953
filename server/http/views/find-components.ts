// Finds the components of a list: the active ones and the added drafts that match a query, by page.
import { flagState } from '#kernel/components/feature-flag/lifetime.ts'
import type { Component } from '#kernel/components/body-types.ts'
import {
  componentId,
  componentTypes,
  isComponentId,
  splitId,
  type ComponentId,
  type ComponentType,
} from '#kernel/components/component.ts'
import type { DraftSummary } from '#wire/index.ts'
import { entryKeysOf, firstAtLeast, shownEntryKeys } from '../../pipeline/index.ts'
import type { SignedInRequest } from '../route.ts'
import { draftState } from './draft-state.ts'

export const rowStates = ['changed', 'added', 'removed', 'invalid', 'expiring'] as const

export interface ListQuery {
  /** Lists only these components; those that do not exist are omitted. */
  ids?: readonly string[] | undefined
  type?: ComponentType | undefined
  set?: string | undefined
  q?: string | undefined
  state?: (typeof rowStates)[number] | undefined
  app?: string | undefined
  outside?: 'true' | undefined
  limit: number
  cursor?: string | undefined
}

export type CallerContext = Pick<
  SignedInRequest<unknown, unknown, unknown>,
  'services' | 'access' | 'visibility' | 'viewer' | 'snapshot' | 'shown'
>

export interface ListContext extends CallerContext {
  drafts: ReadonlyMap<ComponentId, DraftSummary>
  /** The current content of a draft of a new component. */
  draftComponentOf: (id: ComponentId) => Component | null
  findings: ReadonlyMap<string, number>
  invalid: ReadonlySet<string>
  today: string
  /** Keys of the drafts of new components by type, ascending. */
  addedKeys: ReadonlyMap<ComponentType, readonly string[]>
  /** Hits of the search index for the words; null if the components themselves are searched. */
  hits: ReadonlySet<string> | null
  /** Members of the requested app, or of no app; null if all components are requested. */
  isMember: ((id: ComponentId) => boolean) | null
}

/** The ids of a page and the first id after it, and the number of all. */
interface Found {
  ids: ComponentId[]
  total: number
}

/** In the order in which they are named. */
export function findNamed(
  listing: ListContext,
  query: ListQuery,
  names: readonly string[],
  after: ComponentId | undefined,
): Found {
  const named = [...new Set(names)]
  const found = new Set<string>(
    named.filter((id) => isVisibleId(listing, id)).filter((id) => matches(listing, id, query)),
  )
  const start = after === undefined ? 0 : named.indexOf(after) + 1
  const ids = named.slice(start).filter((id): id is ComponentId => found.has(id))
  return { ids: ids.slice(0, query.limit + 1), total: found.size }
}

/** Ordered by type and then by key; a page starts at its place although the last component before it is gone. */
export function findByType(listing: ListContext, query: ListQuery, after: ComponentId | undefined): Found {
  const last = after === undefined ? null : splitId(after)
  const lastType = last === null ? -1 : componentTypes.indexOf(last.type)
  const found: Found = { ids: [], total: 0 }
  for (const type of typesOf(query)) {
    const keys = keysWithAdded(listing, type, query.set)
    const order = componentTypes.indexOf(type)
    const start = order < lastType ? keys.length : order > lastType ? 0 : indexAfter(keys, last!.key)
    const missing = (): number => query.limit + 1 - found.ids.length
    if (selectsAll(listing, query)) {
      found.total += keys.length
      found.ids.push(...keys.slice(start, start + missing()).map((key) => componentId(type, key)))
      continue
    }
    for (const [at, key] of keys.entries()) {
      const id = componentId(type, key)
      if (!matches(listing, id, query)) continue
      found.total += 1
      if (at >= start && missing() > 0) found.ids.push(id)
    }
  }
  return found
}

const definitions = componentTypes.filter((type) => type !== 'config_entry')

function indexAfter(keys: readonly string[], key: string): number {
  const at = firstAtLeast(keys, key)
  return keys[at] === key ? at + 1 : at
}

function typesOf({ type, set, app, outside }: ListQuery): readonly ComponentType[] {
  if (set !== undefined) return ['config_entry']
  if (type !== undefined) return [type]
  return app === undefined && outside === undefined ? componentTypes : definitions
}

/** Nothing then needs to be checked for each component. */
function selectsAll({ isMember }: ListContext, { q, state }: ListQuery): boolean {
  return isMember === null && state === undefined && (q === undefined || q === '')
}

function keysWithAdded(
  listing: ListContext,
  type: ComponentType,
  set: string | undefined,
): readonly string[] {
  const added = listing.addedKeys.get(type) ?? []
  const ofSet = set === undefined ? added : added.filter((key) => key.startsWith(`${set}.`))
  const keys = keysOf(listing, type, set)
  return ofSet.length === 0 ? keys : [...mergeKeys(keys, ofSet)]
}

function isVisibleId({ drafts, snapshot, shown, visibility }: ListContext, id: string): id is ComponentId {
  if (!isComponentId(id)) return false
  const { type, key } = splitId(id)
  if (drafts.has(componentId(type, key))) return true
  return type === 'config_entry'
    ? visibility.canSeeValues(key.split('.')[0]!) && snapshot.view.has(type, key)
    : shown.has(type, key)
}

function keysOf(
  { snapshot, shown, visibility }: ListContext,
  type: ComponentType,
  set: string | undefined,
): readonly string[] {
  if (type !== 'config_entry') return [...shown.keys(type)]
  if (set === undefined) return shownEntryKeys(snapshot.view, visibility)
  return visibility.canSeeValues(set) ? entryKeysOf(snapshot.view, set) : []
}

function* mergeKeys(keys: Iterable<string>, addedKeys: readonly string[]): Iterable<string> {
  let at = 0
  for (const key of keys) {
    while (at < addedKeys.length && addedKeys[at]! < key) yield addedKeys[at++]!
    yield key
  }
  yield* addedKeys.slice(at)
}

function matches(listing: ListContext, id: ComponentId, { q, state }: ListQuery): boolean {
  if (listing.isMember?.(id) === false) return false
  if (state !== undefined && !inState(listing, id, state)) return false
  if (q === undefined || q === '') return true
  const needle = q.toLowerCase()
  if (id.slice(id.indexOf('/') + 1).includes(needle)) return true
  if (listing.hits?.has(id) === false) return false
  const component = componentOf(listing, id)
  if (component === null) return false
  const values =
    component.type === 'config_entry' ? [component.body.key, ...Object.values(component.body.values)] : []
  return [component.label, ...values].some(
    (text) => text != null && String(text).toLowerCase().includes(needle),
  )
}

function inState(listing: ListContext, id: ComponentId, state: (typeof rowStates)[number]): boolean {
  if (state === 'invalid') return listing.invalid.has(id)
  const draft = listing.drafts.get(id)
  if (state === 'changed') return draft !== undefined
  if (state !== 'expiring') return draft !== undefined && draftState(draft) === state
  const component = componentOf(listing, id)
  return component?.type === 'feature_flag' && flagState(component.body.expiresOn, listing.today) !== 'active'
}

/** Returns the active component, or the current content of a draft of a new one. */
export function componentOf(
  { shown, drafts, draftComponentOf }: ListContext,
  id: ComponentId,
): Component | null {
  const { type, key } = splitId(id)
  const active = shown.get(type, key) as Component | undefined
  if (active !== undefined) return active
  return drafts.get(id)?.removes === false ? draftComponentOf(id) : null
}
