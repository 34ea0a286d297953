// Requests for each operation on external services: over a description that comes as text.
import { ledger } from '../../../server/external-services/fixture.ts'
import type { ApiDocument } from './api-document.ts'

/** Its endpoint comes from the requests on the outbox. */
const service = {
  ...{ type: 'external_service', key: 'ledger', label: 'Ledger' },
  body: { namedCredential: 'nowhere', spec: { format: 'openapi_3_1', source: ledger } },
}

export async function importServices(api: ApiDocument): Promise<void> {
  await api.send('apply', { body: { components: [service], rationale: 'A service' } })
  await api.send('getService', { path: { service: 'ledger' } })
  await api.send('getServiceOperation', { path: { service: 'ledger', operation: 'createEntry' } })
  await api.send('importService', { path: { service: 'ledger' } })
  await api.send('importService', { path: { service: 'drafted' }, body: { definition: service.body } })
}
