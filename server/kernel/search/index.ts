// Search over keys, labels, values and expressions.
export {
  hitPlaces,
  matchesWords,
  plainWords,
  searchWords,
  textsOf,
  indexTextsOf,
  type HitPlace,
} from './hit-places.ts'
export type { SearchResponse, SearchHit, SearchRank } from './search-view.ts'
