// The element, registered once, and the sources it can be given (specification 2.9).
import { SvcLookupField } from './lookup-field/lookup-field.ts'
import type { LookupChange, LookupError } from './lookup-field/types.ts'

export type {
  LookupAnswer,
  LookupAttributes,
  LookupChange,
  LookupError,
  LookupOption,
  LookupPage,
  LookupRequest,
  LookupResolve,
  LookupSearch,
} from './lookup-field/types.ts'
export { setLookupWords, type LookupWords } from './lookup-field/words.ts'
export { SvcLookupField }
export { arraySource, type ArraySourceOptions } from './sources/array-source.ts'
export { fetchSource, type FetchSourceOptions } from './sources/fetch-source.ts'

// A page that loads two copies keeps the first.
// A server that draws the page's markup has no elements.
const known = globalThis.customElements
if (known && !known.get('svc-lookup-field')) known.define('svc-lookup-field', SvcLookupField)

declare global {
  interface HTMLElementTagNameMap {
    'svc-lookup-field': SvcLookupField
  }
  // Heard on the element, and on the page around it.
  interface GlobalEventHandlersEventMap {
    'svc-lookup-change': CustomEvent<LookupChange>
    'svc-lookup-clear': CustomEvent<null>
    'svc-lookup-error': CustomEvent<LookupError>
  }
}
