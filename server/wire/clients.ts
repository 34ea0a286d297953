// HTTP types of integration clients (docs/reference/http.md).

/** `GET /setup/v3/clients`. */
export interface ClientsView {
  /** Since when requests are counted: the start of the server. */
  countedSince: string
  /** What all clients can use together. */
  ceiling: ClientView['limits']
  clients: ClientView[]
}

export interface ClientView {
  key: string
  label: string
  runAs: string
  authScheme: string
  /** Days after its last use in which a field cannot be removed. */
  deprecationWindowDays: number
  /** Whether it bypasses all access checks, because its user holds platform.root. */
  isRoot: boolean
  /** As declared: numbers, or percentages of the ceiling such as `10%`. */
  rateLimit: Record<keyof ClientView['limits'], number | string>
  /** The declared limits as numbers, not above the ceiling: requests per second, at once, and at the same time. */
  limits: { sustained: number; burst: number; concurrency: number }
  /** Requests that it can send now at once. */
  left: number
  running: number
  requests: number
  /** Requests above the limits. */
  refused: number
  /** Null before the first request since the server started. */
  lastRequestAt: string | null
}

/** `GET /setup/v3/clients/{key}/uses`: a name under which a client has used a field or an object. */
export interface ClientUse {
  /** Whether the name is one of a field, or of the object itself. */
  kind: 'object' | 'field'
  /** The keys of the object and of the field; null if they no longer exist. */
  object: string | null
  field: string | null
  /** The key or alias that the client used. */
  name: string
  /** To the minute. */
  at: string
}
