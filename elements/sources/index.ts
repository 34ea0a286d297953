// The sources alone: importing them registers no element.
export type {
  LookupAnswer,
  LookupOption,
  LookupPage,
  LookupRequest,
  LookupResolve,
  LookupSearch,
} from '../lookup-field/types.ts'
export { arraySource, type ArraySourceOptions } from './array-source.ts'
export { fetchSource, type FetchSourceOptions } from './fetch-source.ts'
