// HTTP types of search results, shared by server and studio.
import type { ComponentId, ComponentType } from '../components/component.ts'
import type { HitPlace } from './hit-places.ts'

/** `key`: the key itself; `name`: words of key and label; `text`: values, expressions, names of fields. */
export type SearchRank = 'key' | 'name' | 'text'

export interface SearchHit {
  id: ComponentId
  type: ComponentType
  key: string
  label: string
  rank: SearchRank
  /** Whether only a draft contains the match: a new component, or text that a draft changed. */
  draft: boolean
  places: HitPlace[]
}

/** `GET /setup/v3/search`. */
export interface SearchResponse {
  hits: SearchHit[]
  /** Total in the active generation; null if some of it could be hidden from the caller, and on later pages. */
  total: number | null
  nextCursor: string | null
}
