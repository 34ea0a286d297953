// Lists components: active ones and added drafts, filtered, by page.
import type { Component } from '#kernel/components/body-types.ts'
import { isComponentId, splitId, type ComponentId, type ComponentType } from '#kernel/components/component.ts'
import type { ComponentPage, ComponentRow } from '#wire/index.ts'
import type { OrgReader } from '../../ports/org-store.ts'
import type { DraftSummary } from '#wire/index.ts'
import { isIdVisible, parseDraft, visibleDraft, visibleDraftBriefsInChunks } from '../../pipeline/index.ts'
import { decodeCursor, encodeCursor } from '../cursor.ts'
import { rowFacts } from './component-facts.ts'
import { appMembership } from './app-members.ts'
import { draftState } from './draft-state.ts'
import {
  componentOf,
  findByType,
  findNamed,
  type CallerContext,
  type ListContext,
  type ListQuery,
} from './find-components.ts'

/** Above this number of components, the search index selects the candidates for a text. */
const maxScanned = 2000
const maxHits = 2000

/** Returns one page, ordered by type and then by key. */
export async function componentList(caller: CallerContext, query: ListQuery): Promise<ComponentPage> {
  const { services, access } = caller
  const findings = await services.problems.counts(access.user)
  const invalid = await services.problems.invalid(access.user)
  const shown = await visibleDraftBriefsInChunks(services.store, caller.viewer)
  const drafts = new Map(shown.map((draft) => [draft.id, draft]))
  return services.store.read((reader) => {
    const listing: ListContext = {
      ...caller,
      drafts,
      draftComponentOf: (id) => draftedComponent(reader, id, caller),
      findings,
      invalid,
      today: services.clock.today(),
      addedKeys: addedKeysOf(caller, drafts),
      hits: hitsOf(caller, reader, drafts, query),
      isMember: membershipOf(caller, query),
    }
    const { ids, type, set, q, state, app, outside, limit } = query
    const question = JSON.stringify([ids, type, set, q, state, app, outside])
    const after = decodeCursor(question, query.cursor, isComponentId)
    const found =
      ids === undefined ? findByType(listing, query, after) : findNamed(listing, query, ids, after)
    const page = found.ids.slice(0, limit)
    return {
      components: page.map((id) =>
        rowOf(listing, id, reader.components.digest(caller.snapshot.generation, id)),
      ),
      nextCursor: found.ids.length > limit ? encodeCursor(question, page.at(-1)!) : null,
      total: found.total,
    }
  })
}

function addedKeysOf(
  { snapshot }: CallerContext,
  drafts: ReadonlyMap<ComponentId, DraftSummary>,
): ReadonlyMap<ComponentType, readonly string[]> {
  const added = Map.groupBy(
    [...drafts.keys()].map((id) => splitId(id)).filter(({ type, key }) => !snapshot.view.has(type, key)),
    ({ type }) => type,
  )
  return new Map([...added].map(([type, ids]) => [type, ids.map(({ key }) => key).sort()]))
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
  if (outside === undefined) return null
  const apps = [...shown.keys('app')].map((key) => appMembership(snapshot.view, key))
  return (id) => !apps.some((belongs) => belongs(id))
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
