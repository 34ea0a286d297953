// Returns a page of search results that the caller can see; results only in drafts are part of the first page.
import type { Component } from '#kernel/components/body-types.ts'
import { splitId, type ComponentId, type ComponentType } from '#kernel/components/component.ts'
import {
  hitPlaces,
  matchesWords,
  searchWords,
  textsOf,
  type SearchResponse,
  type SearchHit,
} from '#kernel/search/index.ts'
import { isIdVisible, parseDraft, visibleDrafts } from '../../pipeline/index.ts'
import type { OrgReader } from '../../ports/org-store.ts'
import type { SearchTypes } from '../../ports/search.ts'
import { decodeCursor, encodeCursor } from '../cursor.ts'
import type { SignedInRequest } from '../route.ts'
import { appMembership } from './app-members.ts'

export interface SearchQuery {
  q: string
  type?: ComponentType | undefined
  /** False excludes entries, of which there are many. */
  entries: boolean
  app?: string | undefined
  limit: number
  cursor?: string | undefined
}

type CallerContext = Pick<SignedInRequest<unknown, unknown, unknown>, 'services' | 'viewer' | 'snapshot'>

export function searchComponents(
  { services, viewer, snapshot }: CallerContext,
  query: SearchQuery,
): SearchResponse {
  const { q, type, entries, app, limit } = query
  const words = searchWords(q)
  const question = JSON.stringify([q, type, entries, app])
  const place = decodeCursor(question, query.cursor)
  const inApp = app === undefined ? () => true : appMembership(snapshot.view, app)
  const matchesFilters = (id: ComponentId): boolean =>
    (type === undefined || splitId(id).type === type) &&
    (entries || splitId(id).type !== 'config_entry') &&
    inApp(id)
  const isIncluded = (id: ComponentId): boolean => matchesFilters(id) && isIdVisible(id, viewer)
  const types: SearchTypes = {
    ...(type === undefined ? {} : { type }),
    ...(entries ? {} : { excludedType: 'config_entry' }),
  }
  return services.store.read((reader) => {
    const hits: SearchHit[] =
      place === undefined ? draftHits(reader, words, matchesFilters, { viewer, snapshot }) : []
    let next: string | null = null
    if (hits.length < limit) {
      const page = reader.search.find(q, {
        limit: limit - hits.length,
        after: place,
        isIncluded,
        ...types,
      })
      next = page.next
      for (const { id, rank } of page.hits) {
        const component = componentAt(snapshot.view, id)
        if (component !== undefined) hits.push(hitOf(component, rank, words, false))
      }
    }
    const whole = app === undefined && place === undefined && hidesNothing({ viewer, snapshot })
    return {
      hits,
      total: whole ? reader.search.count(q, types) : null,
      nextCursor: next === null ? null : encodeCursor(question, next),
    }
  })
}

/** An exact total would reveal hidden hits. */
function hidesNothing({ viewer, snapshot: { view } }: Pick<CallerContext, 'viewer' | 'snapshot'>): boolean {
  if (viewer === null) return true
  return (['config_set', 'feature_flag'] as const).every((type) =>
    [...view.keys(type)].every((key) => viewer.visibility.canSeeValues(key)),
  )
}

function componentAt(view: CallerContext['snapshot']['view'], id: ComponentId): Component | undefined {
  const { type, key } = splitId(id)
  return view.get(type, key) as Component | undefined
}

function hitOf(
  component: Component,
  rank: SearchHit['rank'],
  words: readonly string[],
  draft: boolean,
): SearchHit {
  const { type, key, label } = component
  return { id: `${type}/${key}`, type, key, label, rank, draft, places: hitPlaces(component, words) }
}

/** Finds drafts that match if the active generation does not; a draft that cannot be read yet matches by its key. */
function draftHits(
  reader: OrgReader,
  words: readonly string[],
  matchesFilters: (id: ComponentId) => boolean,
  { viewer, snapshot }: Pick<CallerContext, 'viewer' | 'snapshot'>,
): SearchHit[] {
  if (words.length === 0) return []
  return visibleDrafts(reader, viewer).flatMap((draft): SearchHit[] => {
    if (draft.text === null || !matchesFilters(draft.id)) return []
    const active = componentAt(snapshot.view, draft.id)
    if (active !== undefined && matchesWords(allTexts(active), words)) return []
    const component = parseDraft(draft).parsed?.component
    if (component !== undefined)
      return matchesWords(allTexts(component), words)
        ? [hitOf(component, rankOf(component, words), words, true)]
        : []
    const { type, key } = splitId(draft.id)
    if (!matchesWords([key, draft.text], words)) return []
    return [{ id: draft.id, type, key, label: key, rank: 'text', draft: true, places: [] }]
  })
}

function rankOf({ key, label }: Component, words: readonly string[]): SearchHit['rank'] {
  return matchesWords([key, label], words) ? 'name' : 'text'
}

function* allTexts(component: Component): Iterable<string> {
  for (const { text } of textsOf(component)) yield text
}
