// The active components, with the drafts over them.
import type { ComponentCounts, WhereUsedView } from '#wire/index.ts'
import { allPages, get, post, request } from './request.ts'
import type {
  ChangeView,
  ComponentDetail,
  ComponentPage,
  ComponentId,
  ComponentRow,
  ComponentType,
  GenerationRow,
} from './wire.ts'

export interface ComponentQuery {
  /** `<type>/<key>`, separated by commas. */
  ids?: string
  type?: ComponentType
  q?: string
  /** changed, invalid, expiring */
  state?: string
  set?: string
  app?: string
  /** Whether to list only components that belong to no app. */
  outside?: 'true'
  limit?: number
  cursor?: string
}

export type { ComponentCounts as Counts } from '#wire/index.ts'

export const fetchComponents = (query: ComponentQuery, signal?: AbortSignal): Promise<ComponentPage> =>
  request('GET', '/metadata/v3/components', { query: { ...query }, signal })

/** Reads every row that matches the query, page after page. */
export async function fetchAllComponents(query: ComponentQuery): Promise<ComponentRow[]> {
  const pages = await allPages((cursor) => fetchComponents({ ...query, limit: query.limit ?? 2000, cursor }))
  return pages.flatMap(({ components }) => components)
}

const mostAsked = 100

/** Returns which of these exist, active or drafted. */
export async function fetchKnown(ids: readonly ComponentId[]): Promise<Set<string>> {
  const knownIds = new Set<string>()
  for (let from = 0; from < ids.length; from += mostAsked) {
    const chunk = ids.slice(from, from + mostAsked).join(',')
    for (const { id } of (await fetchComponents({ ids: chunk, limit: mostAsked })).components)
      knownIds.add(id)
  }
  return knownIds
}

export const fetchCounts = (): Promise<ComponentCounts> => get('/metadata/v3/components/counts')

export const fetchComponent = (
  type: ComponentType,
  key: string,
  generation?: number,
): Promise<ComponentDetail> => get(componentPath(type, key), { generation })

export const fetchWhereUsed = (type: ComponentType, key: string, member?: string): Promise<WhereUsedView> =>
  get(
    `${componentPath(type, key)}/where-used${member === undefined ? '' : `?member=${encodeURIComponent(member)}`}`,
  )

export const fetchHistory = (
  type: ComponentType,
  key: string,
): Promise<{ history: { generation: GenerationRow; changes: ChangeView[] }[] }> =>
  get(`${componentPath(type, key)}/history`)

/** Drafts a rename of a component, with every reference to it. */
export const renameComponent = (
  type: ComponentType,
  from: string,
  to: string,
): Promise<{ drafts: ComponentId[] }> => post('/metadata/v3/rename', { type, from, to })

function componentPath(type: ComponentType, key: string): string {
  return `/metadata/v3/components/${type}/${encodeURIComponent(key)}`
}
