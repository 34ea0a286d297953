// What a search finds, as the server tells it: types only, for server and page alike (studio: global search).
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
  /** Whether it stands in a draft only: in a new component, or in what a draft says otherwise. */
  draft: boolean
  places: HitPlace[]
}

/** `GET /setup/v3/search`. */
export interface SearchAnswer {
  hits: SearchHit[]
  /** Of the active generation; null where some of it may be hidden from whoever asks, and on later pages. */
  total: number | null
  nextCursor: string | null
}
