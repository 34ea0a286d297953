// The element, registered once, and its sources (docs/reference/lookup-field.md).
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

// If a page loads two copies, the first one is used.
// A server that renders the page has no custom elements.
const registry = globalThis.customElements
if (registry && !registry.get('svc-lookup-field')) registry.define('svc-lookup-field', SvcLookupField)

declare global {
  interface HTMLElementTagNameMap {
    'svc-lookup-field': SvcLookupField
  }
  // Listeners for the events can be on the element or on the page around it.
  interface GlobalEventHandlersEventMap {
    'svc-lookup-change': CustomEvent<LookupChange>
    'svc-lookup-clear': CustomEvent<null>
    'svc-lookup-error': CustomEvent<LookupError>
  }
}
