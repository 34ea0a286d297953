// A response of a route that is not simply JSON with its declared status.
import type { Response } from 'express'
import { writePieces, type Pieces } from './write-pieces.ts'

export interface ReplyContent {
  status?: number
  headers?: Readonly<Record<string, string>>
  /** A JSON value, text or bytes with a media type, or a writer that ends the response itself. */
  json?: unknown
  text?: string
  bytes?: Uint8Array
  media?: string
  stream?: (response: Response) => void | Promise<void>
  /** The response in pieces, each created after the previous one is sent, so the client does not wait for all of it. */
  pieces?: Pieces
}

/** The content of a reply that is not JSON: text, a file, or a stream. */
export interface MediaBody {
  kind: 'media'
}

/** `B` is the type of its JSON, or `MediaBody`; never for a reply without a body. */
export class Reply<out B = unknown> {
  declare readonly body: B
  readonly content: ReplyContent

  constructor(content: ReplyContent) {
    this.content = content
  }
}

type Head = Pick<ReplyContent, 'status' | 'headers'>

/** Returns JSON with its own status or headers. */
export function jsonReply<T>(json: T, head: Head): Reply<T> {
  return new Reply({ ...head, json })
}

/** Returns JSON in pieces, which is never in memory as a whole. The compiler cannot check them. */
export function jsonPiecesReply(pieces: Pieces, head: Head = {}): Reply<never> {
  return new Reply({ ...head, pieces, media: 'application/json; charset=utf-8' })
}

/** Returns no body: only a status and headers. */
export function emptyReply(head: Head = {}): Reply<never> {
  return new Reply(head)
}

/** Returns text, a file, or a stream whose writer ends it. */
export function mediaReply(
  media: string,
  content: Pick<ReplyContent, 'text' | 'pieces' | 'stream'> & Head,
): Reply<MediaBody> {
  return new Reply({ ...content, media })
}

/** Returns plain text with a media type. */
export function textReply(text: string, media = 'text/plain; charset=utf-8'): Reply<MediaBody> {
  return mediaReply(media, { text })
}

/** Returns a promise for a response that is sent in pieces or as a stream. */
export function sendReply(response: Response, status: number, result: unknown): Promise<void> | void {
  const parts: ReplyContent = result instanceof Reply ? result.content : { json: result }
  for (const name in parts.headers) response.setHeader(name, parts.headers[name]!)
  if (response.getHeader('Cache-Control') === undefined)
    response.setHeader('Cache-Control', 'private, no-store')
  response.status(parts.status ?? status)
  if (parts.media !== undefined) response.setHeader('Content-Type', parts.media)
  if (parts.stream !== undefined) return parts.stream(response)
  if (parts.pieces !== undefined) return writePieces(response, parts.pieces)
  if (parts.bytes !== undefined) return void response.end(parts.bytes)
  if (parts.text !== undefined) return void response.send(parts.text)
  if (parts.json === undefined) return void response.end()
  response.setHeader('Content-Type', parts.media ?? 'application/json; charset=utf-8')
  sendJson(response, JSON.stringify(parts.json))
}

/** Without the steps of Express for conditional requests and for HEAD, where neither can apply. */
function sendJson(response: Response, text: string): void {
  const { method, headers } = response.req
  if (method === 'HEAD' || 'if-none-match' in headers || 'if-modified-since' in headers)
    return void response.send(text)
  response.setHeader('Content-Length', Buffer.byteLength(text))
  response.end(text)
}
