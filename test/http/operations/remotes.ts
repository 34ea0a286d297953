// Requests for each operation on a remote org.
import type { RemoteJob } from '#wire/remotes.ts'
import { clientSecret, newRemote } from '../../support/remote-requests.ts'
import type { Relay } from '../../support/relay.ts'
import type { TestServer } from '../../support/running-server.ts'
import type { ApiDocument } from './api-document.ts'

const path = { key: 'there' }

async function finished(api: ApiDocument, operation: string, request: object): Promise<RemoteJob> {
  const { body } = await api.send<RemoteJob>(operation, { path, ...request })
  return ended(api, body.id)
}

async function ended(api: ApiDocument, id: string): Promise<RemoteJob> {
  for (;;) {
    const { body } = await api.send<RemoteJob>('getRemoteJob', { path: { ...path, id } })
    if (body.state !== 'running') return body
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

export async function manageRemotes(api: ApiDocument, there: TestServer, relay: Relay): Promise<void> {
  await api.send('addRemote', { body: newRemote(relay.url, await clientSecret(there)) })
  await api.send('listRemotes')
  await api.send('changeRemote', { path, body: { name: 'There too' } })
  await api.send('contactRemote', { path })
  const { body } = await there.studio<{ lineage: string }>('GET', '/setup/v3/org')
  await api.send('pinRemote', { path, body: { lineage: body.lineage } })
  await finished(api, 'compareWithRemote', {})
  await api.send('getComparison', { path })
  await api.send('getComparisonIndex', { path })
  await api.send('getRemoteDrift', { path })
  await api.send('acknowledgeRemote', { path, body: { generation: 1 } })
  await finished(api, 'retrieveFromRemote', {})
  await api.send('getRemoteTexts', { path: { ...path, type: 'permission_set', component: 'administrator' } })
  const ids = ['value_set/currency']
  const review = await finished(api, 'pushToRemote', { body: { ids, review: true } })
  await api.send('cancelRemoteJob', { path: { ...path, id: review.id } })
  const second = await finished(api, 'pushToRemote', { body: { ids, review: true } })
  await api.send('proceedWithRemoteJob', { path: { ...path, id: second.id }, body: {} })
  await ended(api, second.id)
  await api.send('takeFromRemote', { path, body: { ids } })
  relay.behave(/digests/, 'cut')
  const cut = await finished(api, 'compareWithRemote', {})
  relay.heal()
  await api.send('resumeRemoteJob', { path: { ...path, id: cut.id } })
  await ended(api, cut.id)
  await api.send('listRemoteJobs', { path })
  await api.send('listRemoteGenerations', { path })
  await api.send('getRemoteGeneration', { path: { ...path, generation: 2 } })
  await finished(api, 'rollBackRemote', { body: { generation: 1, rationale: 'test' } })
  await api.send('getRemote', { path })
  await api.send('removeRemote', { path })
}
