// Finds references of records that name no record. Almanac leaves them if a required reference comes back to its object
// after the record that it names was deleted, so they are not damage.
import { componentId } from '#kernel/components/component.ts'
import type { Finding } from '#kernel/errors/finding.ts'
import type { ObjectId } from '#kernel/records/index.ts'
import type { OrgReader } from '../ports/org-store.ts'
import { integrityFinding } from './finding.ts'

type Reader = Pick<OrgReader, 'generations' | 'identities' | 'recordFacts'>

export function recordReferenceFaults({ generations, identities, recordFacts }: Reader): Finding[] {
  const generation = generations.active()
  const view = generations.view(generation)
  const localId = (key: string): ObjectId | undefined =>
    view.get('object', key)?.body.storage === 'local'
      ? (identities.at(generation, componentId('object', key)) as ObjectId | undefined)
      : undefined
  return [...view.list('object')].flatMap(({ key: object, body }) => {
    const objectId = localId(object)
    if (objectId === undefined) return []
    const fields = identities.fields(generation, object)
    return body.fields.flatMap(({ key, type, references, formula }) => {
      const target = references === undefined ? undefined : localId(references)
      if (type !== 'reference' || formula !== undefined || target === undefined) return []
      const { count, records } = recordFacts.lostReferences(objectId, fields.get(key)!, target)
      if (count === 0) return []
      const more = count > records.length ? ` and ${count - records.length} more` : ''
      const message = `${key} names a record of ${references!} that does not exist, in ${records.join(', ')}${more}. Enter a different record there.`
      const found = integrityFinding('integrity.record_reference', `object/${object}`, message, 'warning')
      return [found]
    })
  })
}
