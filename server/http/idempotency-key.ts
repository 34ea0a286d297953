// The header Idempotency-Key of a request.
import { createHash } from 'node:crypto'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { SaveCommand } from '../records/index.ts'
import type { RequestContext } from './request-context.ts'
import type { PublicRequest } from './route.ts'

const maxKeyLength = 255

/** Undefined without the header. @throws AlmanacError `request.malformed` */
export function idempotencyOf({
  raw,
  body,
  by,
  identity,
}: PublicRequest<unknown, unknown, unknown> & RequestContext): SaveCommand['idempotency'] {
  const { method, originalUrl } = raw.request
  const key = raw.request.get('Idempotency-Key')
  if (method !== 'POST' || key === undefined) return undefined
  if (!/^[\x21-\x7e]+$/.test(key) || key.length > maxKeyLength)
    throw new AlmanacError(
      'request.malformed',
      `Idempotency-Key: use 1 to ${maxKeyLength} printable ASCII characters without spaces.`,
    )
  const request = createHash('sha256')
    .update(
      JSON.stringify([
        originalUrl,
        body,
        raw.request.get('X-App') ?? null,
        raw.request.get('If-Match') ?? null,
      ]),
    )
    .digest('base64url')
  return { caller: `${identity.client ?? ''}/${by.actor}`, key, request }
}
