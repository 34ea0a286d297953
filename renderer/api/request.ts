// One door to the server: JSON over the same origin, errors as ApiError with the envelope's words (completions 5).

/** What the server said went wrong, or that it could not be reached (`code` is then `studio.unreachable`). */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly details: unknown[]
  readonly correlationId: string

  constructor(status: number, code: string, message: string, details: unknown[] = [], correlationId = '') {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.code = code
    this.details = details
    this.correlationId = correlationId
  }
}

interface Envelope {
  title?: string
  detail?: string
  code?: string
  details?: unknown[]
  correlationId?: string
}

type Query = Record<string, string | number | boolean | null | undefined>

export interface RequestOptions {
  query?: Query
  body?: unknown
  /** Lets the request outlive the page, for the last keep before it closes. */
  keepalive?: boolean
  signal?: AbortSignal
  /** Answers the text as it came, where every byte counts. */
  raw?: boolean
}

/** Sends one request and answers the parsed body. @throws ApiError */
export async function request<T>(method: string, path: string, options: RequestOptions = {}): Promise<T> {
  const { query, body, keepalive, signal } = options
  let response: Response
  try {
    response = await fetch(path + queryText(query), {
      method,
      keepalive,
      signal,
      credentials: 'same-origin',
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw new ApiError(
      0,
      'studio.unreachable',
      'The server does not answer. Your drafts wait in this window until it does.',
    )
  }
  const text = await response.text()
  if (response.ok && options.raw) return text as T
  const answer = parsed(text)
  if (response.ok) return answer as T
  throw envelopeError(response.status, answer)
}

export const get = <T>(path: string, query?: Query): Promise<T> => request<T>('GET', path, { query })
export const post = <T>(path: string, body: unknown = {}): Promise<T> => request<T>('POST', path, { body })

/** A sentence for a person, whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function envelopeError(status: number, answer: unknown): ApiError {
  const { title, detail, code, details, correlationId } = (answer ?? {}) as Envelope
  const words = detail ?? title ?? `The server answered ${status}.`
  return new ApiError(status, code ?? `http.${status}`, words, details, correlationId)
}

function parsed(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

function queryText(query: Query = {}): string {
  const given = Object.entries(query).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  )
  return given.length === 0
    ? ''
    : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`
}
