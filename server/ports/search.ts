// Search over keys, labels, values and expressions of the active generation.
import type { ComponentId, ComponentType } from '#kernel/components/component.ts'
import type { SearchRank } from '#kernel/search/index.ts'

export interface SearchTypes {
  /** Returns only this type. */
  type?: ComponentType
  /** Returns every type except this one. */
  excludedType?: ComponentType
}

export interface SearchOptions extends SearchTypes {
  limit: number
  /** Whether a component can be returned. Others are skipped and do not count for `limit`. */
  isIncluded?: (id: ComponentId) => boolean
  /** `next` of the previous page. */
  after?: string
}

export interface SearchPage {
  hits: { id: ComponentId; rank: SearchRank }[]
  /** Where to continue; null on the last page. */
  next: string | null
}

export interface SearchReader {
  /** Matches in names come first. */
  find(text: string, options: SearchOptions): SearchPage
  /** How many components a search finds. */
  count(text: string, types?: SearchTypes): number
}
