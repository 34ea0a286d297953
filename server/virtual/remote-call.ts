// The calls to a source: the caller of this feature provides them, with authentication, limits and retries.

export interface RemoteRequest {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Below the URL of the source, encoded: `/Orders('A')`. */
  path: string
  /** Encoded, without the question mark; empty if none. */
  query: string
  headers: Readonly<Record<string, string>>
  body?: string
}

export interface RemoteResponse {
  status: number
  /** Header names in lower case. */
  headers: Readonly<Record<string, string>>
  text: string
}

/** Responses of every status are returned. @throws AlmanacError of the class `integration` or `limit` */
export type RemoteCall = (request: RemoteRequest, signal: AbortSignal) => Promise<RemoteResponse>
