// The filter of bulk jobs in the address of the page.
import type { LocationQuery } from 'vue-router'
import type { IngestQuery, IngestState } from '../../../api/ingest.ts'
import { known, or, queryOf, textOf } from '../lists/address-fields.ts'
import { ingestStates } from './bulk-words.ts'

export interface BulkFields {
  state: IngestState | ''
  object: string
  failed: boolean
}

export const fieldsOf = ({ state, object, failed }: LocationQuery): BulkFields => ({
  state: known(ingestStates, textOf(state)),
  object: textOf(object),
  failed: failed === 'true',
})

export const addressOfFields = (fields: BulkFields): LocationQuery => queryOf({ ...fields })

export const ingestQuery = ({ state, object, failed }: BulkFields): IngestQuery => ({
  state: state === '' ? undefined : state,
  object: or(object),
  failed: failed ? 'true' : undefined,
})
