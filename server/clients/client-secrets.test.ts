// A secret that expires is valid until its last moment, for a secret and for an API key.
import { expect, it } from 'vitest'
import { buildComponent } from '../../test/support/metadata.ts'
import { MemoryOrgStore } from '../../test/support/memory-org-store.ts'
import { systemRandom } from '../system/index.ts'
import { createClientSecrets } from './index.ts'

const by = { actor: 'admin', correlationId: 'c', isOperator: true as const }

it.each(['api_key', 'oauth2_client_credentials'])('a secret for %s ends on its day', async (authScheme) => {
  const store = new MemoryOrgStore()
  store.putUser({ key: 'admin', name: 'Admin' })
  store.addGeneration([buildComponent('integration_client', 'shop', { authScheme, runAs: 'admin' })])
  let now = '2026-01-01T00:00:00.000Z'
  const secrets = createClientSecrets({
    ...{ store, write: async (work) => store.write(work), random: systemRandom },
    clock: { now: () => now, today: () => now.slice(0, 10) },
  })
  const { clientSecret, expiresAt, valid } = await secrets.issueSecret(by, 'shop', 2)
  expect([expiresAt, valid]).toEqual(['2026-01-03T00:00:00.000Z', 1])
  const isAccepted = (): boolean => {
    if (authScheme !== 'api_key') return secrets.isValidSecret('shop', clientSecret)
    try {
      return secrets.authenticateKey(clientSecret).validUntil === Date.parse(expiresAt!)
    } catch {
      return false
    }
  }
  now = '2026-01-02T23:59:59.999Z'
  expect(isAccepted()).toBe(true)
  now = '2026-01-03T00:00:00.000Z'
  expect(isAccepted()).toBe(false)
  expect(secrets.listSecrets(by, 'shop')).toEqual([])
  // It takes no place among the two that are valid.
  expect((await secrets.issueSecret(by, 'shop')).valid).toBe(1)
})
