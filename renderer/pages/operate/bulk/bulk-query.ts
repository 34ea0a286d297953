// The filter of bulk jobs in the address of the page.
import type { LocationQuery } from 'vue-router'
import type { IngestQuery, IngestState } from '../../../api/ingest.ts'
import { ingestStates } from './bulk-words.ts'

export interface BulkFields {
  state: IngestState | ''
  object: string
  failed: boolean
}

const textOf = (value: LocationQuery[string] | undefined): string => (typeof value === 'string' ? value : '')

export const fieldsOf = ({ state, object, failed }: LocationQuery): BulkFields => ({
  state: ingestStates.find(({ value }) => value === textOf(state))?.value ?? '',
  object: textOf(object),
  failed: failed === 'true',
})

export const addressOfFields = ({ state, object, failed }: BulkFields): LocationQuery =>
  Object.fromEntries(
    Object.entries({ state, object, failed: failed ? 'true' : '' }).filter(([, value]) => value !== ''),
  )

export const ingestQuery = ({ state, object, failed }: BulkFields): IngestQuery => ({
  state: state === '' ? undefined : state,
  object: object === '' ? undefined : object,
  failed: failed ? 'true' : undefined,
})
