// Lists components: active ones and added drafts, filtered, by page.
import { flagState } from '#kernel/components/feature-flag/lifetime.ts'
import type { Component } from '#kernel/components/body-types.ts'
import {
  componentId,
  componentTypes,
  isComponentType,
  splitId,
  type ComponentId,
  type ComponentType,
} from '#kernel/components/component.ts'
import type { ComponentPage, ComponentRow } from '#wire/index.ts'
import type { OrgReader } from '../../ports/org-store.ts'
import type { DraftSummary } from '#wire/index.ts'
import {
  entryKeysOf,
  isIdVisible,
  parseDraft,
  shownEntryKeys,
  visibleDraft,
  visibleDraftBriefs,
} from '../../pipeline/index.ts'
import { decodeCursor, encodeCursor } from '../cursor.ts'
import type { SignedInRequest } from '../route.ts'
import { rowFacts } from './component-facts.ts'
import { appMembership } from './app-members.ts'
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

type CallerContext = Pick<
  SignedInRequest<unknown, unknown, unknown>,
  'services' | 'access' | 'visibility' | 'viewer' | 'snapshot' | 'shown'
>

interface ListContext extends CallerContext {
  drafts: ReadonlyMap<ComponentId, DraftSummary>
  /** The current content of a draft of a new component. */
  draftComponentOf: (id: ComponentId) => Component | null
  findings: ReadonlyMap<string, number>
  invalid: ReadonlySet<string>
  today: string
  /** Hits of the search index for the words; null if the components themselves are searched. */
  hits: ReadonlySet<string> | null
  /** Members of the requested app, or of no app. */
  isMember: (id: ComponentId) => boolean
}

/** Above this number of components, the search index selects the candidates for a text. */
const maxScanned = 2000
const maxHits = 2000

/** Returns one page, ordered by type and then by key. */
export async function componentList(caller: CallerContext, query: ListQuery): Promise<ComponentPage> {
  const { services, access } = caller
  const findings = await services.problems.counts(access.user)
  const invalid = await services.problems.invalid(access.user)
  return services.store.read((reader) => {
    const shown = visibleDraftBriefs(reader, caller.viewer)
    const drafts = new Map(shown.map((draft) => [draft.id, draft]))
    const listing: ListContext = {
      ...caller,
      drafts,
      draftComponentOf: (id) => draftedComponent(reader, id, caller),
      findings,
      invalid,
      today: services.clock.today(),
      hits: hitsOf(caller, reader, drafts, query),
      isMember: membershipOf(caller, query),
    }
    const question = JSON.stringify([
      query.ids,
      query.type,
      query.set,
      query.q,
      query.state,
      query.app,
      query.outside,
    ])
    const after = decodeCursor(question, query.cursor)
    const page: ComponentId[] = []
    let total = 0
    let passed = after === undefined
    for (const id of idsOf(listing, query)) {
      if (!matches(listing, id, query)) continue
      total += 1
      if (passed && page.length <= query.limit) page.push(id)
      if (id === after) passed = true
    }
    const ids = page.slice(0, query.limit)
    const nextCursor = page.length > query.limit ? encodeCursor(question, ids.at(-1)!) : null
    return {
      components: ids.map((id) =>
        rowOf(listing, id, reader.components.digest(caller.snapshot.generation, id)),
      ),
      nextCursor,
      total,
    }
  })
}

/** A label or a value then matches by the beginnings of its words; a key by any part. */
function hitsOf(
  { snapshot, viewer }: CallerContext,
  reader: OrgReader,
  drafts: ReadonlyMap<ComponentId, DraftSummary>,
  { q }: ListQuery,
): ReadonlySet<string> | null {
  if (q === undefined || q === '' || snapshot.view.count('config_entry') <= maxScanned) return null
  // Hidden hits would take the places of visible ones.
  const { hits } = reader.search.find(q, { limit: maxHits, isIncluded: (id) => isIdVisible(id, viewer) })
  // Drafts are not in the index; there are few, so they are searched directly.
  return new Set([...hits.map(({ id }) => id), ...drafts.keys()])
}

function membershipOf(
  { snapshot, shown }: CallerContext,
  { app, outside }: ListQuery,
): ListContext['isMember'] {
  if (app !== undefined) return appMembership(snapshot.view, app)
  if (outside === undefined) return () => true
  const apps = [...shown.keys('app')].map((key) => appMembership(snapshot.view, key))
  return (id) => !apps.some((belongs) => belongs(id))
}

const definitions = componentTypes.filter((type) => type !== 'config_entry')

function* idsOf(listing: ListContext, query: ListQuery): Iterable<ComponentId> {
  const { ids, type, set, app, outside } = query
  if (ids !== undefined) return yield* [...new Set(ids)].filter((id) => isVisibleId(listing, id))
  const types: readonly ComponentType[] =
    set !== undefined
      ? ['config_entry']
      : type !== undefined
        ? [type]
        : app === undefined && outside === undefined
          ? componentTypes
          : definitions
  for (const each of types) {
    const added = [...listing.drafts.keys()].map((id) => splitId(id)).filter((id) => id.type === each)
    const addedKeys = added.map(({ key }) => key).filter((key) => !listing.snapshot.view.has(each, key))
    for (const key of mergeKeys(keysOf(listing, each, set), addedKeys.sort()))
      if (set === undefined || key.startsWith(`${set}.`)) yield componentId(each, key)
  }
}

function isVisibleId({ drafts, snapshot, shown, visibility }: ListContext, id: string): id is ComponentId {
  if (!id.includes('/') || !isComponentType(id.slice(0, id.indexOf('/')))) return false
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
): Iterable<string> {
  if (type !== 'config_entry') return shown.keys(type)
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
  if (!listing.isMember(id)) return false
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
function componentOf({ shown, drafts, draftComponentOf }: ListContext, id: ComponentId): Component | null {
  const { type, key } = splitId(id)
  const active = shown.get(type, key) as Component | undefined
  if (active !== undefined) return active
  return drafts.get(id)?.removes === false ? draftComponentOf(id) : null
}

/** Returns the current content of a draft; null if it cannot be read yet. */
function draftedComponent(reader: OrgReader, id: ComponentId, { viewer }: CallerContext): Component | null {
  const draft = visibleDraft(reader, id, viewer)
  return draft === undefined || draft.text === null ? null : (parseDraft(draft).parsed?.component ?? null)
}

function rowOf(listing: ListContext, id: ComponentId, digest: string | undefined): ComponentRow {
  const { type, key } = splitId(id)
  const component = componentOf(listing, id)
  const draft = listing.drafts.get(id)
  const facts =
    component === null ? undefined : rowFacts(component, listing.snapshot, listing.visibility, listing.today)
  return {
    id,
    type,
    key,
    label: component?.label ?? key,
    digest: digest ?? null,
    draft: draft === undefined ? null : draftState(draft),
    findings: listing.findings.get(id) ?? 0,
    ...(facts === undefined ? {} : { facts }),
  }
}
