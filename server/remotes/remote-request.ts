// Sends one request to a remote and reads its response: validated strictly, with refusals in words.
import type { z } from 'zod'
import type { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { createYielder } from '../pipeline/index.ts'
import type { Outbound, OutboundResponse, OutboundCall, OutboundLimits } from '../ports/outbound.ts'
import { OutboundError } from '../ports/outbound.ts'
import { redactor } from '../system/index.ts'
import { envelope, oauthRefusal } from './response-schemas.ts'
import { faultError, remoteError, type RemoteAddress } from './remote-error.ts'

export interface RemoteRequest<S extends z.ZodType> {
  method: OutboundCall['method']
  path: string
  /** Made again for each attempt, so it can be a stream. */
  body?: () => string | AsyncIterable<Uint8Array>
  media?: string
  headers?: Readonly<Record<string, string>>
  /** Null if no body is expected. */
  responseSchema: S | null
  limits: OutboundLimits
  signal?: AbortSignal
  /** Secrets in the body that must not appear in any output; the bearer token of the headers is known. */
  secrets?: readonly string[]
}

/** @throws AlmanacError of class integration. */
export async function sendRequest<S extends z.ZodType>(
  outbound: Outbound,
  address: RemoteAddress,
  question: RemoteRequest<S>,
): Promise<z.output<S>> {
  const { method, path, body, media = 'application/json', headers, limits, signal } = question
  const bearer = headers?.['authorization']?.replace(/^Bearer /, '')
  const redact = redactor([bearer, ...(question.secrets ?? [])])
  const response = await outbound
    .send({
      method,
      url: new URL(path, address.url).href,
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': media }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: body() }),
      limits,
      ...(signal === undefined ? {} : { signal }),
    })
    .catch((error: unknown) => {
      throw error instanceof OutboundError ? faultError(address, error) : error
    })
  // Redacted before anything reads it: a response must not carry our secrets any further.
  const answer = redactResponse(response, redact)
  if (answer.status >= 300) throw refusalError(address, question, answer)
  return question.responseSchema === null
    ? (undefined as z.output<S>)
    : await parseResponse(address, question.responseSchema, answer)
}

function redactResponse(
  { status, headers, text }: OutboundResponse,
  redact: (text: string) => string,
): OutboundResponse {
  const entries = Object.entries(headers).map(([name, value]) => [name, redact(value)] as const)
  return { status, headers: Object.fromEntries(entries), text: redact(text) }
}

/** A large response is parsed in one piece and checked in the next. */
async function parseResponse<S extends z.ZodType>(
  address: RemoteAddress,
  schema: S,
  answer: OutboundResponse,
): Promise<z.output<S>> {
  const type = answer.headers['content-type'] ?? 'no media type'
  if (!/^application\/([a-z.+-]+\+)?json\b/.test(type))
    throw unreadableError(address, `${type.split(';')[0]} instead of JSON`, answer.status)
  const breathe = createYielder()
  const json = jsonOf(answer.text)
  await breathe()
  const parsed = schema.safeParse(json)
  await breathe()
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const at = issue === undefined || issue.path.length === 0 ? 'its top level' : issue.path.join('.')
  throw unreadableError(address, `something that is not a valid Almanac response (at ${at})`, answer.status)
}

function unreadableError(address: RemoteAddress, what: string, status: number): AlmanacError {
  const words = `returned ${what}. Check that the URL belongs to an Almanac server of this version.`
  return remoteError(address, 'integration.unreadable', words, { status })
}

function refusalError(
  address: RemoteAddress,
  { method, path }: Pick<RemoteRequest<z.ZodType>, 'method' | 'path'>,
  { status, headers, text }: OutboundResponse,
): AlmanacError {
  if (status < 400) {
    const location = headers['location'] ?? 'nowhere'
    const words = `redirects to ${location}, and redirects are not followed. If that is the new URL, change the remote to it.`
    return remoteError(address, 'integration.redirect_refused', words, { status })
  }
  const refusal = parseRefusal(jsonOf(text))
  const facts = {
    status,
    code: refusal?.code ?? null,
    correlationId: refusal?.correlationId ?? null,
    details: refusal?.details ?? [],
  }
  const detail = refusal?.detail ?? `it returned ${status} for ${method} ${path}`
  if (status === 410 || (status === 404 && refusal?.code === 'route.not_found'))
    return remoteError(
      address,
      'integration.other_version',
      `uses a version of the protocol other than v3: ${detail} Update both sides to the same version.`,
      facts,
    )
  if (refusal === null)
    return remoteError(
      address,
      'integration.unreadable',
      `returned ${status} for ${method} ${path}, but is not an Almanac server. Check the URL.`,
      facts,
    )
  if (status === 401)
    return remoteError(
      address,
      'integration.sign_in',
      `did not accept the credentials: ${detail} Enter the secret of this remote again.`,
      facts,
    )
  if (status === 403)
    return remoteError(address, 'integration.forbidden', `does not allow it: ${detail}`, facts)
  const wait = Number(headers['retry-after'])
  return remoteError(address, 'integration.refused', `refused: ${detail}`, {
    ...facts,
    ...(Number.isFinite(wait) && wait > 0 ? { retryAfter: wait } : {}),
  })
}

function parseRefusal(json: unknown): z.output<typeof envelope> | null {
  const parsed = envelope.safeParse(json)
  if (parsed.success) return parsed.data
  const oauth = oauthRefusal.safeParse(json)
  if (!oauth.success) return null
  const { error, error_description: detail = error } = oauth.data
  return { code: error, detail }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
