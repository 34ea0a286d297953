// The worker side of a lane: handles a request as the main thread does, and returns the response as bytes.
import { Readable } from 'node:stream'
import type { Response } from 'express'
import { restoreContext } from './request-context.ts'
import { handleRoute } from './handle-route.ts'
import type { LaneReply, LaneCall } from './lanes.ts'
import { Reply, type ReplyContent } from './reply.ts'
import { routes } from './routes/index.ts'
import type { Services } from './services.ts'

/** @throws AlmanacError as the route does */
export async function runLaneCall(services: Services, call: LaneCall): Promise<LaneReply> {
  const route = routes.find(({ name }) => name === call.route)
  if (route?.access !== 'signed_in') throw new Error(`${call.route} does not run in a lane.`)
  const caller = restoreContext(services, call.context)
  const result = await handleRoute(services, route, call, { ...caller, raw: noRaw(route.name) })
  const { records } = services
  return { ...(await contentOf(result)), recordPosition: records.observed(), uses: records.takeUses() }
}

async function contentOf(result: unknown): Promise<Omit<LaneReply, 'recordPosition' | 'uses'>> {
  const { json, text, pieces, stream, ...head } = result instanceof Reply ? result.content : { json: result }
  if (stream !== undefined) throw new Error('An open stream cannot cross from a worker.')
  const { status, headers, media } = head
  if (pieces !== undefined) return { status, headers, media, bytes: await collectBytes(pieces) }
  if (text !== undefined) return { status, headers, media, bytes: encodeText(text) }
  if (json === undefined) return { status, headers, media }
  return {
    status,
    headers,
    media: media ?? 'application/json; charset=utf-8',
    bytes: encodeText(JSON.stringify(json)),
  }
}

async function collectBytes(pieces: NonNullable<ReplyContent['pieces']>): Promise<Uint8Array> {
  const parts = await Readable.from(pieces, { objectMode: true }).toArray()
  return ownedBytes(Buffer.concat(parts.map((part) => Buffer.from(part as string))))
}

/** Copied to its own memory, which can be transferred. */
function encodeText(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

function ownedBytes(bytes: Buffer): Uint8Array {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes)
}

function noRaw(route: string): { request: never; response: Response & never } {
  const refuse = (): never => {
    throw new Error(`${route} runs in a lane, without a connection.`)
  }
  return Object.defineProperties({}, { request: { get: refuse }, response: { get: refuse } }) as never
}
