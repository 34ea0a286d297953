// Search over keys, labels, values and expressions, including drafts.
import type { SearchResponse } from '#kernel/search/index.ts'
import { request } from './request.ts'

export interface SearchRequest {
  q: string
  type?: string
  app?: string
  /** False excludes configuration entries. */
  entries?: boolean
  limit?: number
  cursor?: string
}

export const search = (ask: SearchRequest, signal?: AbortSignal): Promise<SearchResponse> =>
  request('GET', '/setup/v3/search', { query: { ...ask }, ...(signal === undefined ? {} : { signal }) })

export type { SearchResponse, SearchHit } from '#kernel/search/index.ts'
