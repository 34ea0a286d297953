// The records that keep a record from being deleted, by their names.
import type { InApp } from '../../api/records.ts'
import type { ApiError } from '../../api/request.ts'
import { describedObject, nameOfRecord } from './record-source.ts'

export interface Referrer {
  /** The key of its object. */
  object: string
  id: string
  /** `Order O-1` */
  name: string
}

export interface Referrers {
  named: Referrer[]
  /** Whether there are more, or some that the user cannot see. */
  others: boolean
}

/** Reads the names of the records in a refusal, of which the server lists a few. */
export async function referrersIn(
  { details }: ApiError,
  terms: { epoch: number; app: InApp },
): Promise<Referrers> {
  const found = (details as { record?: unknown; others?: unknown }[]).flatMap(({ record }) =>
    typeof record === 'string' ? [record] : [],
  )
  const named = found.map(async (record): Promise<Referrer> => {
    const [object = '', id = ''] = record.split('/')
    const label = await describedObject(object, terms.epoch).then(
      (described) => described.label,
      () => object,
    )
    const name = await nameOfRecord(object, id, terms).catch(() => id)
    return { object, id, name: referrerName(label, name === id ? `…${id.slice(-4)}` : name) }
  })
  return {
    named: await Promise.all(named),
    others: found.length === 0 || (details as { others?: unknown }[]).some(({ others }) => others === true),
  }
}

/** `Order O-1`; the label of the object only if the name does not begin with it, as in `Task 0012`. */
export const referrerName = (label: string, name: string): string =>
  name.toLowerCase().startsWith(label.toLowerCase()) ? name : `${label} ${name}`
