import type { LookupSearch } from './types.ts'

/** The element, as its modules see it. */
export interface Field extends HTMLElement {
  readonly value: string | null
  readonly display: string | null
  readonly search: LookupSearch | null
  readonly form: HTMLFormElement | null
}
