// Every operation of /openapi.json succeeds at least once, with a request and a response that fit the document.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startServer, type RunningServer } from '../../server/index.ts'
import { relayTo, type Relay } from '../support/relay.ts'
import { impatient } from '../support/remote-requests.ts'
import { runningServer, type TestServer } from '../support/running-server.ts'
import { ApiDocument, type Document } from './operations/api-document.ts'
import {
  changeConfiguration,
  evaluateAndStore,
  importTables,
  purge,
  readConfiguration,
  requestChanges,
  writeDrafts,
} from './operations/configuration.ts'
import {
  addApprover,
  manageClients,
  manageCredentials,
  managePeople,
  signInAndOut,
} from './operations/people.ts'
import { connectAccounts } from './operations/accounts.ts'
import { followChannels } from './operations/channels.ts'
import { manageOutbox } from './operations/outbox.ts'
import { manageDeliveries } from './operations/webhooks.ts'
import { callOperations, saveAnyRecords, saveRecordsOfEachObject } from './operations/records.ts'
import { readSources } from './operations/sources.ts'
import { importServices } from './operations/services.ts'
import { manageRemotes } from './operations/remotes.ts'

const folder = mkdtempSync(join(tmpdir(), 'almanac-operations-'))
let server: RunningServer
let there: TestServer
let relay: Relay
let url: string

beforeAll(async () => {
  there = await runningServer()
  relay = await relayTo(there.url)
  server = await startServer({
    ...{ org: join(folder, 'org'), root: resolve(import.meta.dirname, '../..'), host: '127.0.0.1', port: 0 },
    ...{ studio: true, sample: true, checkReplies: true, limitsClients: false, warm: false },
    remoteTerms: impatient,
  })
  url = server.listening
}, 120_000)
afterAll(async () => {
  await server.close()
  await relay.close()
  await there.close()
  rmSync(folder, { recursive: true, force: true })
})

/** The document as a caller sees it. */
async function documentFor(headers: Record<string, string>): Promise<ApiDocument> {
  const response = await fetch(`${url}/openapi.json`, { headers })
  return new ApiDocument((await response.json()) as Document, url, headers)
}

it('every operation succeeds once, and its request and response fit the document', async () => {
  const entry = await documentFor({})
  const once = new URL(server.open!).searchParams.get('once')!
  const { headers } = await entry.send('openSession', { query: { once } })
  const api = await documentFor({ cookie: headers.get('set-cookie')!.split(';')[0]!, origin: url })
  await readConfiguration(api)
  await changeConfiguration(api)
  await writeDrafts(api)
  await importTables(api)
  await evaluateAndStore(api)
  const other = await addApprover(api)
  await requestChanges(api, other)
  await managePeople(api)
  await manageClients(api)
  await manageCredentials(api)
  await connectAccounts(api)
  await saveAnyRecords(api)
  await callOperations(api)
  await saveRecordsOfEachObject(api)
  await manageOutbox(api)
  await manageDeliveries(api)
  await followChannels(api)
  await readSources(api)
  await importServices(api)
  await manageRemotes(api, there, relay)
  await signInAndOut(api, url)
  await purge(api)
  expect([...entry.problems, ...api.problems]).toEqual([])
  expect(api.missing.filter((operation) => entry.missing.includes(operation))).toEqual([])
}, 300_000)
