// What passes between the element and its source (specification 2.9).

/** One record that can be pointed at. */
export interface LookupOption {
  /** Id of the record. A row without one cannot be chosen, and is left out. */
  value: string
  /** Its name. Without one the id is shown. */
  label: string
  /** The second line; without it the display fields are drawn there. */
  sublabel?: string | undefined
  /** Where the record lives: the target of the read-mode link once it is chosen. */
  href?: string | undefined
  /** What the match and display fields name. Texts, numbers and booleans are drawn; what else is to be is made text. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a row of an interface has no index of unknowns
  fields?: Readonly<Record<string, any>> | undefined
  /** A caption over the options that follow one another with the same one, as in "Recent". */
  group?: string | undefined
  /**
   * Makes the record that the option stands for, as in "Create …": called when it is chosen, answers the option that
   * is pointed at then, or null where nothing was made.
   */
  make?: ((signal: AbortSignal) => LookupOption | null | Promise<LookupOption | null>) | undefined
}

/** What the surface asks for beside the query. */
export interface LookupRequest {
  /** Fields the typed text is matched against; empty leaves the decision to the source. */
  matchFields: readonly string[]
  /** Fields that are drawn on the second line. */
  displayFields: readonly string[]
  /** Aborted once nobody waits for the answer. */
  signal: AbortSignal
  /** `next` of the page before; undefined for the first page. */
  cursor?: unknown
}

/** A first page of more: `next` is handed back as the cursor of the page that follows. */
export interface LookupPage {
  options: readonly LookupOption[]
  /** Left out, null, false or empty where there is no more. */
  next?: unknown
  /** How many there are in all, where the source knows. */
  total?: number | undefined
}

export type LookupAnswer = readonly LookupOption[] | LookupPage

/** A result source. It returns only what the current user may read: the element applies no rights of its own. */
export interface LookupSearch {
  (query: string, request: LookupRequest): LookupAnswer | Promise<LookupAnswer>
  /** Finds one record by its id, for a field that was given a value without a name. Null if there is none. */
  resolve?: ((value: string, request: LookupResolve) => Found | Promise<Found>) | undefined
}

type Found = LookupOption | null | undefined

/** What a source that looks up one id is given. */
export interface LookupResolve {
  /** Aborted once the name is no longer needed. */
  signal: AbortSignal
}

/** What `svc-lookup-change` carries. */
export interface LookupChange {
  /** The id now pointed at. */
  value: string
  /** The name shown. */
  label: string
}

/** What `svc-lookup-error` carries. */
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
