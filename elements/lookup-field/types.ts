// The data between the element and its source (docs/reference/lookup-field.md).

/** One record that can be pointed at. */
export interface LookupOption {
  /** Id of the record. A row without one cannot be chosen, and is omitted. */
  value: string
  /** Its name. Without one the id is shown. */
  label: string
  /** The second line; without it the display fields are drawn there. */
  sublabel?: string | undefined
  /** The URL of the record: the target of the read-mode link once it is chosen. */
  href?: string | undefined
  /** Values of the match and display fields. Texts, numbers and booleans are drawn; convert others to text. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a row of an interface has no index of unknowns
  fields?: Readonly<Record<string, any>> | undefined
  /** A caption over consecutive options with the same group, such as "Recent". */
  group?: string | undefined
  /**
   * Makes the record of an option such as "Create …": called when it is chosen, returns the option that is then pointed
   * at, or null if nothing was created.
   */
  make?: ((signal: AbortSignal) => LookupOption | null | Promise<LookupOption | null>) | undefined
}

/** What the element passes with the query. */
export interface LookupRequest {
  /** Fields the typed text is matched against; empty leaves the decision to the source. */
  matchFields: readonly string[]
  /** Fields that are drawn on the second line. */
  displayFields: readonly string[]
  /** Aborted once the response is no longer needed. */
  signal: AbortSignal
  /** `next` of the previous page; undefined for the first page. */
  cursor?: unknown
}

/** A page of more results: `next` is passed back as the cursor of the following page. */
export interface LookupPage {
  options: readonly LookupOption[]
  /** Omitted, null, false or empty for the last page. */
  next?: unknown
  /** The total, if the source knows it. */
  total?: number | undefined
}

export type LookupAnswer = readonly LookupOption[] | LookupPage

/** A result source. It returns only what the current user may read: the element applies no rights of its own. */
export interface LookupSearch {
  (query: string, request: LookupRequest): LookupAnswer | Promise<LookupAnswer>
  /** Finds one record by its id, for a field with a value and without a name. Null if it does not exist. */
  resolve?: ((value: string, request: LookupResolve) => Found | Promise<Found>) | undefined
}

type Found = LookupOption | null | undefined

/** What the element passes to look up one id. */
export interface LookupResolve {
  /** Aborted once the name is no longer needed. */
  signal: AbortSignal
}

/** The detail of `svc-lookup-change`. */
export interface LookupChange {
  /** The id now pointed at. */
  value: string
  /** The name shown. */
  label: string
}

/** The detail of `svc-lookup-error`. */
export interface LookupError {
  /** What the source threw. */
  error: unknown
}

/** The attributes of the element, for the templates of frameworks. */
export interface LookupAttributes {
  mode?: 'read' | 'edit' | undefined
  'match-fields'?: string | undefined
  'display-fields'?: string | undefined
  'min-chars'?: number | string | undefined
  'search-delay'?: number | string | undefined
  value?: string | null | undefined
  display?: string | null | undefined
  href?: string | null | undefined
  label?: string | undefined
  placeholder?: string | undefined
  required?: boolean | undefined
  disabled?: boolean | undefined
  invalid?: boolean | undefined
  message?: string | undefined
  inline?: boolean | undefined
  name?: string | undefined
  form?: string | undefined
}
