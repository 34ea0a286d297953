// Requests for each operation on the services behind virtual objects.
import { startFaultySource } from '../../conformance/odata/faulty-source.ts'
import { virtualComponents } from '../../support/virtual-org.ts'
import type { ApiDocument } from './api-document.ts'

export async function readSources(api: ApiDocument): Promise<void> {
  const service = await startFaultySource([{ Id: 'a', Name: 'Ada' }])
  try {
    const components = virtualComponents({ url: service.url })
    await api.send('apply', { body: { components, rationale: 'Orders of the ERP' } })
    await api.send('stageSecrets', {
      path: { credential: 'erp_key', principal: 'service' },
      body: { values: { key: 'secret' } },
    })
    await api.send('listEntitySets', { path: { source: 'erp' } })
    await api.send('getEntitySet', { path: { source: 'erp', entitySet: 'Orders' } })
    await api.send('previewEntitySet', { path: { source: 'erp', entitySet: 'Orders' } })
    await api.send('getVirtualObject', { path: { object: 'sales_order' } })
  } finally {
    await service.close()
  }
}
