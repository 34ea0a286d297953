// Cursors of pages: opaque to the client; they contain the place of the last item.
import { z } from 'zod'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'

const content = z.strictObject({ of: z.string(), after: z.string() })

/** @param of the query that is paged, so a cursor of another query is refused */
export function encodeCursor(of: string, after: string): string {
  return Buffer.from(JSON.stringify({ of, after })).toString('base64url')
}

/** Returns the place before a page; undefined without a cursor. @throws AlmanacError `request.malformed`. */
export function decodeCursor<Place extends string = string>(
  of: string,
  cursor: string | undefined,
  isPlace?: (text: string) => text is Place,
): Place | undefined {
  if (cursor === undefined) return undefined
  const parsed = content.safeParse(jsonOf(cursor))
  if (parsed.success && parsed.data.of === of) {
    const { after } = parsed.data
    if (isPlace === undefined || isPlace(after)) return after as Place
  }
  throw new AlmanacError(
    'request.malformed',
    'The cursor does not belong to this query. Start again without a cursor.',
  )
}

function jsonOf(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as unknown
  } catch {
    return undefined
  }
}
