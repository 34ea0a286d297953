// Where a page ended, in its cursor. Values of an order can be long texts, which are read again instead.
import { hash } from 'node:crypto'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { always, type QueryPlace, type RecordQuery } from '../../ports/record-query.ts'
import type { RecordReader } from '../../ports/record-store.ts'
import type { CursorSeal } from './cursor-seal.ts'

/** Characters of a place that a cursor contains itself. */
const mostCharacters = 4000

interface LongPlace {
  id: string
  /** Of the values of the order. */
  digest: string
}

/** @param of what the cursor belongs to */
export function sealPlace(seal: CursorSeal, of: string, place: QueryPlace): string {
  const isLong = JSON.stringify(place).length > mostCharacters
  return seal.seal(of, isLong ? longPlace(place) : place)
}

const longPlace = ({ id, values }: QueryPlace): LongPlace => ({
  id,
  digest: hash('sha256', JSON.stringify(values)),
})

/** @throws AlmanacError `request.malformed`; `request.invalid` if the record at the end of the page has changed */
export async function openPlace(
  reader: Pick<RecordReader, 'query'>,
  { seal, of, cursor }: { seal: CursorSeal; of: string; cursor: string | undefined },
  { object, orderBy }: Pick<RecordQuery, 'object' | 'orderBy'>,
): Promise<QueryPlace | null> {
  if (cursor === undefined) return null
  const place = seal.open(of, cursor) as QueryPlace | LongPlace
  if (!('digest' in place)) return place
  const { hits } = await reader.query({
    ...{ object, orderBy, anyOf: [always], where: always, after: null, limit: 1, id: place.id },
  })
  const found = hits[0]?.place
  if (found === undefined || longPlace(found).digest !== place.digest)
    throw new AlmanacError(
      'request.invalid',
      'cursor: the record at the end of the previous page has changed since. Start again without a cursor.',
    )
  return found
}
