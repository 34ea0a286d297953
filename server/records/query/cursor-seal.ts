// Cursors are sealed: the client cannot read the place in them, and cannot use them for a different query.
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'

export interface CursorSeal {
  seal(of: string, place: unknown): string
  /** @throws AlmanacError `request.malformed` */
  open(of: string, cursor: string): unknown
}

const [ivBytes, tagBytes] = [12, 16]

interface SealOptions {
  /** Whether equal places have equal cursors, so that a cursor reveals only whether it is a different place. */
  isStable?: boolean
}

/** @param key returns 32 bytes, the same in every process of the org */
export function createCursorSeal(key: () => Buffer, { isStable = false }: SealOptions = {}): CursorSeal {
  return {
    seal: (of, place) => {
      const text = JSON.stringify(place)
      const iv = isStable
        ? createHmac('sha256', key()).update(`${of}\n${text}`).digest().subarray(0, ivBytes)
        : randomBytes(ivBytes)
      const cipher = createCipheriv('aes-256-gcm', key(), iv).setAAD(Buffer.from(of))
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')
    },
    open: (of, cursor) => {
      const bytes = Buffer.from(cursor, 'base64url')
      const rest = ivBytes + tagBytes
      try {
        const decipher = createDecipheriv('aes-256-gcm', key(), bytes.subarray(0, ivBytes))
          .setAAD(Buffer.from(of))
          .setAuthTag(bytes.subarray(ivBytes, rest))
        const place = Buffer.concat([decipher.update(bytes.subarray(rest)), decipher.final()])
        return JSON.parse(place.toString('utf8')) as unknown
      } catch {
        throw new AlmanacError(
          'request.malformed',
          'The cursor does not belong to this query. Start again without a cursor.',
        )
      }
    },
  }
}
