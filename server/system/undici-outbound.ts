// Calls other servers with undici: enforces limits, names faults, and never follows redirects.
import { isIP } from 'node:net'
import { Readable } from 'node:stream'
import type { Agent } from 'undici'
import {
  OutboundError,
  type Outbound,
  type OutboundResponse,
  type OutboundCall,
  type OutboundErrorKind,
} from '../ports/outbound.ts'
import { charsetOf, decoderOf, isUtf8Charset } from '../ports/charset.ts'
import { connectionErrorKind, tlsErrorReason } from './connection-error.ts'
import { guardedLookup, type AddressRule } from './guarded-lookup.ts'
import { loadUndici } from './load-undici.ts'

/** @param rule checks each resolved address, so that a name that resolves differently the next time is checked again */
export function undiciOutbound(rule: AddressRule): Outbound {
  const agents = new Map<number, Agent>()
  /** The connection limit belongs to the agent. */
  const agentFor = async (connectMs: number): Promise<Agent> => {
    const { Agent } = await loadUndici()
    const known = agents.get(connectMs)
    if (known !== undefined) return known
    const agent = new Agent({ connect: { timeout: connectMs, lookup: guardedLookup(rule) } })
    agents.set(connectMs, agent)
    return agent
  }
  return {
    send: async (call) => {
      const { hostname } = new URL(call.url)
      const name = hostname.replace(/^\[|\]$/g, '')
      // An IP address is never looked up.
      const refused = isIP(name) === 0 ? null : rule(name, name)
      if (refused !== null) throw new OutboundError('address', refused)
      try {
        return await answerOf(call, await agentFor(call.limits.connectMs))
      } catch (cause) {
        throw faultOf(cause, call)
      }
    },
    close: async () => {
      await Promise.all([...agents.values()].map((agent) => agent.destroy()))
    },
  }
}

async function answerOf(call: OutboundCall, dispatcher: Agent): Promise<OutboundResponse> {
  const { method, url, headers, body, limits, signal } = call
  const { request } = await loadUndici()
  const deadline = new Deadline()
  try {
    // A list that is created as it is sent takes time; the limit for the head begins after it.
    if (body === undefined || typeof body === 'string')
      deadline.start(limits.connectMs + limits.responseMs, 'no response')
    const {
      statusCode,
      headers: rawHeaders,
      body: stream,
    } = await request(url, {
      method,
      headers,
      body: body === undefined || typeof body === 'string' ? body : Readable.from(body),
      dispatcher,
      headersTimeout: limits.responseMs,
      bodyTimeout: limits.chunkMs,
      signal: signal === undefined ? deadline.signal : AbortSignal.any([signal, deadline.signal]),
    })
    deadline.start(limits.bodyMs, 'no complete response')
    const received = flat(rawHeaders)
    const charset = charsetOf(received['content-type'])
    return { status: statusCode, headers: received, text: await textOf(stream, limits.bytes, charset) }
  } finally {
    deadline.clear()
  }
}

async function textOf(
  stream: AsyncIterable<Buffer> & { destroy(): void },
  most: number,
  charset: string | null,
): Promise<string> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of stream) {
    size += piece.length
    if (size > most) {
      stream.destroy()
      throw new OutboundError('too_large', `more than ${Math.floor(most / 1024)} KiB`)
    }
    pieces.push(piece)
  }
  const bytes = Buffer.concat(pieces)
  const decoder = charset === null || isUtf8Charset(charset) ? null : decoderOf(charset)
  return decoder === null ? bytes.toString('utf8') : decoder.decode(bytes)
}

/** One limit at a time, regardless of what arrives in the meantime. */
class Deadline {
  readonly #controller = new AbortController()
  #timer: NodeJS.Timeout | undefined

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  start(ms: number, what: string): void {
    this.clear()
    const error = new OutboundError('timeout', `${what} within ${seconds(ms)}`)
    this.#timer = setTimeout(() => this.#controller.abort(error), ms)
  }

  clear(): void {
    clearTimeout(this.#timer)
  }
}

function seconds(ms: number): string {
  return `${ms >= 1000 ? Math.round(ms / 1000) : ms / 1000} s`
}

function flat(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name.toLowerCase(), Array.isArray(value) ? value.join(', ') : value]],
    ),
  )
}

function faultOf(cause: unknown, { limits, signal }: OutboundCall): OutboundError {
  if (cause instanceof OutboundError) return cause
  const error = innermost(cause)
  if (error instanceof OutboundError) return error
  const code = (error as { code?: string }).code ?? ''
  const fault = (kind: OutboundErrorKind, reason = code || error.message): OutboundError =>
    new OutboundError(kind, reason, cause)
  if (signal?.aborted === true) return fault('cancelled', 'it was cancelled')
  if (code === 'UND_ERR_CONNECT_TIMEOUT')
    return fault('unreachable', `no connection within ${seconds(limits.connectMs)}`)
  if (code === 'UND_ERR_HEADERS_TIMEOUT')
    return fault('timeout', `no response within ${seconds(limits.responseMs)}`)
  if (code === 'UND_ERR_BODY_TIMEOUT')
    return fault('timeout', `no data of the response for ${seconds(limits.chunkMs)}`)
  // The library's own messages are not meant for users.
  if (code === 'UND_ERR_SOCKET' || code === 'UND_ERR_CLOSED' || code === 'UND_ERR_DESTROYED')
    return fault(connectionErrorKind(code), 'the other side closed the connection')
  const kind = connectionErrorKind(code)
  return fault(kind, kind === 'tls' ? tlsErrorReason(error) : undefined)
}

/** Several addresses of one name fail together; the first is as informative as any. */
function innermost(cause: unknown): Error {
  if (cause instanceof AggregateError && cause.errors[0] instanceof Error) return cause.errors[0]
  const inner = (cause as { cause?: unknown }).cause
  const isUndici = (cause as { code?: string }).code?.startsWith('UND_ERR_') === true
  return !isUndici && inner instanceof Error ? inner : (cause as Error)
}
