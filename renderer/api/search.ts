// Search over keys, labels, values and expressions, including drafts (studio: global search).
import type { SearchAnswer } from '#kernel/search/index.ts'
import { request } from './request.ts'

export interface SearchAsk {
  q: string
  type?: string
  app?: string
  /** False excludes configuration entries. */
  entries?: boolean
  limit?: number
  cursor?: string
}

export const search = (ask: SearchAsk, signal?: AbortSignal): Promise<SearchAnswer> =>
  request('GET', '/setup/v3/search', { query: { ...ask }, ...(signal === undefined ? {} : { signal }) })

export type { SearchAnswer, SearchHit } from '#kernel/search/index.ts'
