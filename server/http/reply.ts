// A response of a route that is not simply JSON with its declared status.
import type { Response } from 'express'
import { writePieces, type Pieces } from './write-pieces.ts'

export interface ReplyContent {
  status?: number
  headers?: Readonly<Record<string, string>>
  /** JSON value; or text or bytes with a media type; or a writer that ends the response itself. */
  json?: unknown
  text?: string
  bytes?: Uint8Array
  media?: string
  stream?: (response: Response) => void | Promise<void>
  /** The response in pieces, each created after the previous one is sent, so the client does not wait for all of it. */
  pieces?: Pieces
}

export class Reply {
  readonly content: ReplyContent

  constructor(parts: ReplyContent) {
    this.content = parts
  }
}

/** Returns plain text with a media type. */
export function textReply(text: string, media = 'text/plain; charset=utf-8'): Reply {
  return new Reply({ text, media })
}

/** A response that is written piece by piece; the writer ends it. */
export function streamReply(media: string, stream: NonNullable<ReplyContent['stream']>): Reply {
  return new Reply({ media, stream })
}

/** A response in pieces, which is never in memory as a whole. */
export function piecesReply(media: string, pieces: Pieces): Reply {
  return new Reply({ media, pieces })
}

export async function sendReply(response: Response, status: number, result: unknown): Promise<void> {
  const parts = result instanceof Reply ? result.content : { json: result }
  for (const [name, value] of Object.entries(parts.headers ?? {})) response.setHeader(name, value)
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
  response.send(JSON.stringify(parts.json))
}
