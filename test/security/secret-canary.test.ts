// A canary: marked secrets in every scheme, used in every way. Afterwards no file, log, response or heap holds the mark in
// any form; and each detector finds a mark that is planted.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { backUpOrg } from '../../server/compose/backup.ts'
import { initOrg } from '../../server/compose/open-org.ts'
import { orgFile } from '../../server/compose/org-folder.ts'
import { CanaryServer } from './canary/canary-server.ts'
import { selfSigned } from './canary/certificates.ts'
import {
  callAll,
  consents,
  deploy,
  holdCalls,
  readAll,
  readOutbox,
  receive,
  remotes,
  requireCalls,
  refusedWrites,
  rotate,
  writeSecrets,
} from './canary/exercise.ts'
import { exportAll, push, remove, retrieve } from './canary/leaving.ts'
import { mark, needlesOf } from './canary/marks.ts'
import { schemesOf } from './canary/org.ts'
import { startPeers, type Peers } from './canary/peers.ts'
import { findIn } from './canary/scan.ts'

const folder = mkdtempSync(join(tmpdir(), 'almanac-canary-'))
const heaps = mkdtempSync(join(tmpdir(), 'almanac-heaps-'))
const needles = needlesOf(mark)
const server = new CanaryServer(folder)
/** The remote, below the folder that is searched. */
const far = new CanaryServer(join(folder, 'far'))
let peers: Peers

beforeAll(async () => {
  for (const { org } of [server, far]) await initOrg(org, { name: 'Canary', environment: 'test' }).close()
  const identities = { target: selfSigned('target'), client: selfSigned('client') }
  peers = await startPeers({ ...identities.target, ca: identities.client.cert })
  const schemes = schemesOf(peers, identities)
  await Promise.all([server.start(), far.start()])
  await deploy(server, schemes, peers)
  await refusedWrites(server)
  await writeSecrets(server, schemes)
  await consents(server)
  await callAll(server)
  await requireCalls(server, schemes, peers)
  await rotate(server, schemes, peers)
  await callAll(server)
  expect(await remove(server)).toBeGreaterThan(3)
  await readOutbox(server)
  await receive(server)
  await remotes(server, peers)
  await exportAll(server, folder)
  retrieve(server, folder)
  await push(server, far, folder)
  await readAll(server)
  await backUpOrg(server.org, join(folder, 'backup'))
}, 120_000)
afterAll(async () => {
  await Promise.all([server.stop(), far.stop()])
  peers.close()
  for (const each of [folder, heaps]) rmSync(each, { recursive: true, force: true })
})

describe('no secret', () => {
  it('is in a file, in what the server printed, or in a response', () => {
    expect(server.responses.length).toBeGreaterThan(100)
    expect(server.findOutside(needles)).toEqual([])
    expect(far.findOutside(needles)).toEqual([])
  })

  it('is in the heap of a thread', async () => {
    await holdCalls(server)
    const { heaps: count, found } = await server.findInHeaps(
      { folder: join(heaps, 'clean'), threads: 'all' },
      needles,
    )
    expect(count).toBeGreaterThan(2)
    expect(found).toEqual([])
  })
})

describe('a planted secret', () => {
  it.each(needles.map(({ form, bytes }) => [form, bytes] as const))('is found as %s', (form, bytes) => {
    const text = Buffer.concat([Buffer.from('before'), bytes, Buffer.from('after')])
    expect(findIn(text, 'here', needles).map((each) => each.form)).toContain(form)
  })

  it('is found in the log', async () => {
    await server.plant('log', `Authorization: Basic ${Buffer.from(`ada:${mark}`).toString('base64')}`)
    expect(server.findOutside(needles)).toMatchObject([{ place: 'the output of the server' }])
  })

  it('is found in the log of a database that is open', () => {
    const db = new Database(orgFile(server.org))
    db.pragma('wal_autocheckpoint = 0')
    db.prepare(`INSERT INTO setting (name, json) VALUES ('planted', ?)`).run(JSON.stringify(mark))
    const places = server.findOutside(needles).map(({ place }) => place)
    db.prepare(`DELETE FROM setting WHERE name = 'planted'`).run()
    db.close()
    expect(places).toContain('org/org.sqlite-wal')
  })

  it('is found in a file and in the name of one', () => {
    writeFileSync(join(server.temp, 'some.tmp'), Buffer.from(mark).toString('hex'))
    writeFileSync(join(server.temp, `${mark}.tmp`), '')
    const places = server.findOutside(needles).map(({ place }) => place)
    expect(places).toEqual(expect.arrayContaining(['temp/some.tmp', `the name temp/${mark}.tmp`]))
  })

  it('is found in a response', async () => {
    await server.ask('GET', `/setup/v3/search?q=${mark}`)
    server.responses.push({ name: 'planted', bytes: Buffer.from(`{"a":"${mark}"}`) })
    expect(server.findOutside(needles).map(({ place }) => place)).toContain('the response to planted')
  })

  it('is found in a heap', async () => {
    await server.plant('heap', `Bearer ${mark}`)
    const { found } = await server.findInHeaps({ folder: join(heaps, 'planted'), threads: 'main' }, needles)
    expect(found.map(({ place, form }) => `${place} ${form}`)).toContain('the heap 0-main.heapsnapshot plain')
  })
})
