// The only access to the server: JSON over the same origin, errors as ApiError with the envelope's words.

/** An error that the server reported, or that it could not be reached (`code` is then `studio.unreachable`). */
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
  /** Sent as it is, in place of a JSON body. */
  content?: { type: string; bytes: Blob }
  /** Lets the request outlive the page, for the last save before the page closes. */
  keepalive?: boolean
  signal?: AbortSignal
  /** Returns the text unparsed, for content in which every byte matters. */
  raw?: boolean
  headers?: Record<string, string>
}

/** Sends one request and returns the parsed body. @throws ApiError */
export async function request<T>(method: string, path: string, options: RequestOptions = {}): Promise<T> {
  if (method === 'GET') return requestJson(method, path, options)
  const begun = performance.now()
  const tell = (failure: string): void => {
    const ms = Math.round(performance.now() - begun)
    for (const listener of listeners) listener({ method, path, ms, failure })
  }
  try {
    const answer = await requestJson<T>(method, path, options)
    tell('')
    return answer
  } catch (error) {
    tell(messageOf(error))
    throw error
  }
}

async function requestJson<T>(method: string, path: string, options: RequestOptions): Promise<T> {
  const sent = await send(method, path, options)
  const { response } = sent
  const text = await response.text()
  if (response.ok && options.raw) return text as T
  const answer = parseJson(text)
  if (response.ok) return answer as T
  throw envelopeError(sent, answer)
}

/** A request that is not a read, after its response; `failure` is empty if it succeeded. */
export interface CompletedRequest {
  method: string
  path: string
  ms: number
  failure: string
}

const listeners = new Set<(request: CompletedRequest) => void>()

/** Calls back after each such request. */
export const onRequestCompleted = (listener: (request: CompletedRequest) => void): unknown =>
  listeners.add(listener)

const signInListeners = new Set<(why: string) => void>()

/** Calls back whenever the server reports that the user is not, or no longer, signed in. */
export const onSignInRequired = (listener: (why: string) => void): unknown => signInListeners.add(listener)

let signIns = 0

/** The user has signed in: a refusal of a request that was sent before does not concern the new session. */
export const noteSignIn = (): unknown => (signIns += 1)

/** A response and its tag, so that it is not sent again while it is unchanged. */
export interface Tagged<T> {
  body: T
  tag: string
}

/** Returns null if the response is still the one with this tag. @throws ApiError */
export async function getIfChanged<T>(path: string, tag?: string): Promise<Tagged<T> | null> {
  const headers: Record<string, string> = tag === undefined ? {} : { 'if-none-match': tag }
  const sent = await send('GET', path, { headers })
  const { response } = sent
  if (response.status === 304) return null
  if (!response.ok) throw envelopeError(sent, parseJson(await response.text()))
  return { body: (await response.json()) as T, tag: response.headers.get('etag') ?? '' }
}

/** Saves the response as a file, under the name that the server gives it. @throws ApiError */
export async function download(path: string, body: unknown): Promise<void> {
  const sent = await send('POST', path, { body })
  const { response } = sent
  if (!response.ok) throw envelopeError(sent, parseJson(await response.text()))
  const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? 'rows'
  const address = URL.createObjectURL(await response.blob())
  const link = Object.assign(document.createElement('a'), { href: address, download: name })
  link.click()
  window.setTimeout(() => URL.revokeObjectURL(address), 10_000)
}

/** The response as a stream, of which the beginning alone can be read. @throws ApiError */
export async function openDownload(path: string, query?: Query): Promise<Response> {
  const sent = await send('GET', path, { query: query ?? {} })
  if (!sent.response.ok) throw envelopeError(sent, parseJson(await sent.response.text()))
  return sent.response
}

let viewedUser: string | null = null
/** What is read as the viewed user: records. Everything else is read as the current user. */
const viewedPaths = /^\/(?:data\/|setup\/v3\/evaluate\/record$)/

/** From now on, records are read as this user sees them; null for the current user. */
export const setViewedUser = (user: string | null): unknown => (viewedUser = user)

/** The user as whom records are read; null for the current user. */
export const viewedUserKey = (): string | null => viewedUser

let held: Promise<unknown> | null = null

/** Holds requests back while something that they depend on starts. */
export function holdRequestsUntil(ready: Promise<unknown>): void {
  held = ready.finally(() => (held = null))
}

interface Sent {
  response: Response
  /** How often the user had signed in when the request was sent. */
  signIns: number
}

async function send(method: string, path: string, options: RequestOptions): Promise<Sent> {
  const { query, body, content, keepalive, signal, headers } = options
  // No await otherwise: the request of a closing page must be sent immediately.
  if (held) await held
  const sentAfter = signIns
  try {
    const response = await fetch(path + queryText(query), {
      method,
      keepalive,
      signal,
      credentials: 'same-origin',
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(content === undefined ? {} : { 'content-type': content.type }),
        ...(viewedUser !== null && viewedPaths.test(path) ? { 'x-view-as': viewedUser } : {}),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(content === undefined ? {} : { body: content.bytes }),
    })
    return { response, signIns: sentAfter }
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw new ApiError(
      0,
      'studio.unreachable',
      'The server is not responding. Your changes are kept in this window until it does.',
    )
  }
}

export const get = <T>(path: string, query?: Query): Promise<T> => request<T>('GET', path, { query })
export const post = <T>(path: string, body: unknown = {}): Promise<T> => request<T>('POST', path, { body })

/** Reads all pages of a list. @param read receives the cursor of a page; undefined for the first one */
export async function allPages<Page extends { nextCursor?: string | null }>(
  read: (cursor: string | undefined) => Promise<Page>,
): Promise<Page[]> {
  const pages: Page[] = []
  for (let cursor: string | undefined; ;) {
    const page = await read(cursor)
    pages.push(page)
    if (!page.nextCursor) return pages
    cursor = page.nextCursor
  }
}

/** Whether no response arrived: the frame shows this once for all panels, and earlier content stays visible. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'studio.unreachable'

/** Whether what the request names does not exist, or the user cannot see it: another try cannot help. */
export const isNotFound = (error: unknown): boolean => error instanceof ApiError && error.status === 404

/** The message that a panel shows for a failed read; empty if the frame already shows that the connection is lost. */
export const loadFailureMessage = (error: unknown): string => (isUnreachable(error) ? '' : messageOf(error))

/** Returns a sentence for the user, for anything that can be thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** A missing permission, without the name of the route, which means nothing to the user. */
function deniedWords(code: string | undefined, details: unknown[] = []): string | undefined {
  const [{ id, permission } = {}, ...more] = details as { id?: unknown; permission?: unknown }[]
  if (code !== 'access.denied' || more.length > 0) return undefined
  if (typeof id !== 'string' || typeof permission !== 'string' || !id.startsWith('user/')) return undefined
  const user = id.slice('user/'.length)
  return `${user} needs the permission ${permission}. A user with access.manage can assign a permission set that has it.`
}

/** A list of records omits it, where each line begins with what was not saved. */
export const notSavedLead = 'The record was not saved. '

/** The problems of a refused record: the form shows which record it is. */
function invalidWords(code: string | undefined, details: unknown[] = []): string | undefined {
  if (code !== 'record.invalid') return undefined
  const messages = (details as { message?: unknown }[]).flatMap(({ message }) =>
    typeof message === 'string' ? [message] : [],
  )
  return messages.length === 0 ? undefined : `${notSavedLead}${messages.join(' ')}`
}

function envelopeError({ response: { status }, signIns: sentAfter }: Sent, answer: unknown): ApiError {
  const { title, detail, code, details, correlationId } = (answer ?? {}) as Envelope
  const words =
    deniedWords(code, details) ??
    invalidWords(code, details) ??
    detail ??
    title ??
    `The server responded with ${status}.`
  if (status === 401 && code === 'auth.required' && sentAfter === signIns)
    for (const listener of signInListeners) listener(words)
  return new ApiError(status, code ?? `http.${status}`, words, details, correlationId)
}

function parseJson(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

function queryText(query: Query = {}): string {
  const params = Object.entries(query).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  )
  return params.length === 0
    ? ''
    : `?${new URLSearchParams(params.map(([name, value]) => [name, String(value)]))}`
}
