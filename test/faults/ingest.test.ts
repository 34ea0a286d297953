// What can go wrong while a bulk job runs: a full disk, an upload that stops, a field that is removed, a creator without
// rights. No row is lost or applied twice, and what was not processed can be sent again.
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  createIngestCounts,
  createIngestRunner,
  partBytes,
  readBatches,
  type IngestCaller,
} from '../../server/bulk/index.ts'
import { enginesOf } from '../../server/compose/engines.ts'
import { initOrg, type OpenedOrg } from '../../server/compose/open-org.ts'
import { ingestFolder } from '../../server/compose/org-folder.ts'
import type { IngestJob } from '../../server/ports/ingest.ts'
import type { IngestRows } from '../../server/records/index.ts'
import { fileParts } from '../../server/storage/files/index.ts'
import { apply, signIn } from '../support/billing-org.ts'
import { contactComponents, createJob, ended, jobs, putPart } from '../support/ingest-requests.ts'
import { runningServer, type Ask, type TestServer } from '../support/running-server.ts'
import { canMount, noMount, smallDisk, type SmallDisk } from './full-disk.ts'

const insert = { object: 'contact', operation: 'insert', format: 'csv' } as const
const callerOf = (org: Pick<OpenedOrg, 'activeGeneration'>): IngestCaller => ({
  ...{ user: 'ada', client: null, isOperator: false, generation: org.activeGeneration() },
  ...{ scopePath: {}, correlationId: 'c' },
})
const contactsOf = async (ask: Ask): Promise<number> => {
  const query = { object: 'contact', fields: ['code'], limit: 1, countTo: 10_000 }
  return (await ask<{ totalEstimate: number }>('POST', '/data/v3/query', query)).body.totalEstimate
}
const filesOf = (test: TestServer, id: string): string[] => {
  const folder = join(ingestFolder(test.dir), id)
  return existsSync(folder) ? readdirSync(folder) : []
}

async function loaderOf(test: TestServer): Promise<Ask> {
  await apply(test.studio, contactComponents())
  return (await signIn(test, [{ key: 'ada', permissionSets: ['loader'] }]))['ada']!
}

describe.skipIf(!canMount)(`a bulk job on a full disk (if skipped: ${noMount})`, () => {
  let disk: SmallDisk
  beforeEach(() => (disk = smallDisk(32)))
  afterEach(() => disk.dispose())

  it('refuses a part and keeps none of it, then waits with its rows until there is space', async () => {
    const test = await runningServer({}, disk.dir)
    try {
      const ada = await loaderOf(test)
      const id = await createJob(ada, insert)
      const rows = Array.from({ length: 900 }, (_, at) => `D${at},${'x'.repeat(1000)}`)
      const text = `code,name\n${rows.join('\n')}\n`
      disk.fill()
      expect(await putPart(ada, id, 1, text)).toMatchObject({ status: 507, body: { code: 'storage.full' } })
      expect(filesOf(test, id)).toEqual([])
      disk.free()
      expect((await putPart(ada, id, 1, text)).status).toBe(200)
      // Closed without the server, which begins when it is closed again.
      await test.beside(({ ingests, org }) => ingests.close(callerOf(org), id, 1))
      disk.fill()
      expect((await ada('POST', `${jobs}/${id}/close`, { parts: 1 })).status).toBe(200)
      await new Promise((resolve) => setTimeout(resolve, 700))
      expect(['queued', 'processing']).toContain((await ada('GET', `${jobs}/${id}`)).body['state'])
      disk.free()
      expect(await ended(ada, id)).toMatchObject({
        state: 'completed',
        created: 900,
        failed: 0,
        rowsTotal: 900,
      })
      expect(await contactsOf(ada)).toBe(900)
      expect(filesOf(test, id)).toEqual([])
    } finally {
      await test.close()
    }
  })
})

it('an upload that stops in the middle leaves nothing, and the part can be sent again', async () => {
  const test = await runningServer()
  try {
    const ada = await loaderOf(test)
    const { token } = await test.beside(({ access }) =>
      access.issueToken({ actor: 'admin', correlationId: 'c', isOperator: true } as never, 'ada'),
    )
    const id = await createJob(ada, insert)
    const sending = request(`${test.url}${jobs}/${id}/parts/1`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'text/csv', 'content-length': 1000 },
    })
    sending.on('error', () => undefined)
    sending.write('code,name\nS1,')
    await expect.poll(() => filesOf(test, id).length).toBe(1)
    expect((await ada('POST', `${jobs}/${id}/close`, { parts: 1 })).body['code']).toBe('ingest.parts')
    sending.destroy()
    await expect.poll(() => filesOf(test, id)).toEqual([])
    expect((await putPart(ada, id, 1, 'code,name\nS1,One\n')).status).toBe(200)
    await ada('POST', `${jobs}/${id}/close`, { parts: 1 })
    expect(await ended(ada, id)).toMatchObject({ state: 'completed', created: 1 })
  } finally {
    await test.close()
  }
})

async function textOf(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  let text = ''
  for await (const piece of pieces) text += Buffer.from(piece).toString()
  return text
}

describe('a change in the middle of a job', () => {
  let folder: string
  let org: OpenedOrg
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'almanac-mid-job-'))
    org = initOrg(join(folder, 'org'), { name: 'Rows', environment: 'test' })
    await org.apply({ source: { kind: 'components', components: contactComponents() }, actor: 'admin' })
    await enginesOf(org).access.addUser(by, { key: 'ada', name: 'Ada', permissionSets: ['loader'] })
  })
  afterEach(async () => {
    await org.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const by = { actor: 'admin', correlationId: 'c', isOperator: true }
  const rows = Array.from({ length: 1000 }, (_, at) => `M${at},Name`)

  async function* bytesOf(text: string): AsyncIterable<Uint8Array> {
    yield Buffer.from(text)
  }

  /** Runs a job, and makes the change after 400 rows. Returns it at its end, and the rows that were not processed. */
  async function run(change: () => Promise<unknown>): Promise<{ job: IngestJob; left: string }> {
    const { ingests } = enginesOf(org)
    const { id } = await ingests.create(callerOf(org), insert)
    const text = `code,name\n${rows.join('\n')}\n`
    await ingests.putPart(callerOf(org), id, { number: 1, bytes: bytesOf(text), verify: () => undefined })
    await ingests.close(callerOf(org), id, 1)
    const store = fileParts(ingestFolder(org.dir))
    const read = org.records.store()
    let last: Promise<unknown> = Promise.resolve()
    let isChanged = false
    const runner = createIngestRunner({
      waiting: () => read.read((reader) => reader.waitingIngests()),
      partsOf: (job) => read.read((reader) => reader.ingestParts(job)),
      writes: org.records.ingests,
      open: async ({ format, columns, place }, parts) => {
        const bytes = partBytes(store, parts, place.offset)
        const batches = readBatches({ format, columns: columns!, place, bytes })[Symbol.asyncIterator]()
        return {
          next: async () => (await batches.next()).value as IngestRows,
          close: async () => void (await batches.return?.(undefined)),
        }
      },
      removePart: ({ job, name }) => store.remove(job, name),
      removeParts: (job) => store.removeAll(job),
      activeGeneration: () => org.activeGeneration(),
      noteUses: () => undefined,
      counts: createIngestCounts(),
      // One after the other: a change would otherwise wait for the batch before.
      save: (command) => {
        const saved = last.then(async () => {
          // On a busy machine, a batch can end before its last row.
          if (!isChanged && command.rows.place.rows >= 400) {
            isChanged = true
            await change()
          }
          return (await org.records.save({ ...command, generation: org.activeGeneration() })).reply
        })
        last = saved.catch(() => undefined)
        return saved
      },
      onProgress: () => undefined,
      onError: (error) => expect.unreachable(String(error)),
    })
    runner.wake()
    const jobOf = async (): Promise<IngestJob> => (await read.read((reader) => reader.ingest(id)))!
    await expect.poll(async () => (await jobOf()).state).not.toMatch(/queued|processing/)
    await runner.close()
    const left = await ingests.rows(callerOf(org), id, 'unprocessed')
    return { job: await jobOf(), left: await textOf(left) }
  }
  const rowsAfter = ({ created }: IngestJob): string => `code,name\r\n${rows.slice(created).join('\n')}\n`

  function removeName(): Promise<unknown> {
    const [region, contact] = contactComponents() as { key: string; body: { fields: { key: string }[] } }[]
    const loader = (contactComponents() as { key: string; body: { fields: object } }[]).find(
      ({ key }) => key === 'loader',
    )!
    const fields = contact!.body.fields.filter(({ key }) => key !== 'name')
    const shown = Object.entries(loader.body.fields).filter(([key]) => key !== 'contact.name')
    const components = [
      region!,
      { ...contact!, body: { ...contact!.body, fields, nameField: 'code' }, breaking: true },
      { ...loader, body: { ...loader.body, fields: Object.fromEntries(shown) } },
    ]
    return org.apply({ source: { kind: 'components', components }, actor: 'admin' })
  }

  it('that removes a field ends the job by its name, with the rows before saved', async () => {
    const { job, left } = await run(removeName)
    expect(job).toMatchObject({ state: 'failed', problem: { code: 'ingest.columns' } })
    expect(job.problem!.message).toContain('contact has no field "name"')
    expect(job.created).toBeGreaterThanOrEqual(400)
    expect(left).toBe(rowsAfter(job))
  })

  it('that gives the name of a column to another field ends the job: the rest is not loaded into that field', async () => {
    const { job, left } = await run(async () => {
      await removeName()
      await org.apply({ source: { kind: 'components', components: contactComponents() }, actor: 'admin' })
    })
    expect(job).toMatchObject({ state: 'failed', problem: { code: 'ingest.columns' } })
    expect(job.problem!.message).toContain(
      '"name" is a different field of contact than when the job was closed',
    )
    expect(left).toBe(rowsAfter(job))
  })

  it('that takes the rights of its creator ends it, with the rows before saved', async () => {
    const { access } = enginesOf(org)
    const { job, left } = await run(() => access.changeUser(by, 'ada', { permissionSets: [] }))
    expect(job).toMatchObject({ state: 'failed', problem: { code: 'object.not_found' } })
    await access.changeUser(by, 'ada', { permissionSets: ['loader'] })
    expect(job.created).toBeGreaterThanOrEqual(400)
    expect(left).toBe(rowsAfter(job))
  })

  it('that does not concern its columns goes on', async () => {
    const { job } = await run(() => {
      const [contact] = contactComponents().slice(1) as { body: { fields: { key: string }[] } }[]
      const fields = contact!.body.fields.map((field) =>
        field.key === 'name' ? { ...field, aliases: ['full_name', 'title'] } : field,
      )
      const components = [{ ...contact!, body: { ...contact!.body, fields } }]
      return org.apply({ source: { kind: 'components', components }, actor: 'admin' })
    })
    expect(job).toMatchObject({ state: 'completed', created: 1000 })
  })
})
