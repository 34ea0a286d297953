// The room of external data sources.
import { defineComponentType } from '../define.ts'
import { edge } from '../edges.ts'
import { externalDataSourceBody } from './body.ts'
import { externalDataSourceDoc } from './doc.ts'

export const externalDataSourceRoom = defineComponentType({
  type: 'external_data_source',
  title: 'external data source',
  plural: 'external data sources',
  author: 'metadata.author',
  body: externalDataSourceBody,
  references: ({ body }) => edge('named_credential', body.namedCredential, ['namedCredential']),
  secretSlots: () => [],
  // The schema is enough. What a list can push down is checked when the list is compiled.
  rules: [],
  doc: externalDataSourceDoc,
})
