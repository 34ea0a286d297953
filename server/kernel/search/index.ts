// Search over keys, labels, values and expressions (studio: global search).
export {
  hitPlaces,
  matchesWords,
  plainWords,
  searchWords,
  textsOf,
  wordsOf,
  type HitPlace,
} from './hit-places.ts'
export type { SearchAnswer, SearchHit, SearchRank } from './search-view.ts'
