// An erasure reaches the parts of bulk jobs: rows that refer to the record do not survive, and are not saved afterwards.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { IngestCaller } from '../../server/bulk/index.ts'
import type { IngestState } from '../../server/ports/ingest.ts'
import { openRecordStore } from '../../server/storage/sqlite/index.ts'
import { orgFile } from '../../server/compose/org-folder.ts'
import { apply, signIn } from '../support/billing-org.ts'
import {
  contactComponents,
  createJob,
  ended,
  jobs,
  load,
  putPart,
  type Job,
} from '../support/ingest-requests.ts'
import { runningServer, type Ask, type TestServer } from '../support/running-server.ts'

let test: TestServer
let ada: Ask
let ops: Ask
beforeAll(async () => {
  test = await runningServer()
  // A region by a sensitive name, so that a reference by it contains what is erased.
  const components = contactComponents().map((each) =>
    (each as { key: string }).key === 'region'
      ? {
          ...{ type: 'object', key: 'region', label: 'Region' },
          body: {
            fields: [
              { key: 'code', type: 'text', required: true, unique: true },
              { key: 'owner', type: 'text', unique: true, sensitive: true },
            ],
            nameField: 'code',
          },
        }
      : each,
  )
  await apply(test.studio, components)
  const loader = components.find((each) => (each as { key: string }).key === 'loader') as {
    body: { fields: object }
  }
  const fields = { ...loader.body.fields, 'region.owner': { read: true, edit: true } }
  await apply(test.studio, [{ ...loader, body: { ...loader.body, fields } }])
  const users = await signIn(test, [
    { key: 'ada', permissionSets: ['loader'] },
    { key: 'ops', permissionSets: ['loader', 'operator'] },
  ])
  ;[ada, ops] = [users['ada']!, users['ops']!]
})
afterAll(() => test.close())

let number = 0
let code: string
beforeEach(() => void (code = `E${(number += 1)}_`))

const upsert = { object: 'contact', operation: 'upsert', externalId: 'code', format: 'csv' } as const

async function idOf(object: string, key: string): Promise<string> {
  const query = { object, fields: ['code'], filter: `code == "${key}"` }
  const { body } = await ada<{ records: { id: string }[] }>('POST', '/data/v3/query', query)
  return body.records[0]!.id
}
async function erase(object: string, key: string): Promise<void> {
  const erasure = { object, id: await idOf(object, key), reason: 'Request 7' }
  const { status, text } = await ops('POST', '/setup/v3/erasures', erasure)
  expect(status, text).toBe(200)
}
const noteOf = async (key: string): Promise<unknown> => {
  const query = { object: 'contact', fields: ['note'], filter: `code == "${key}"` }
  const { body } = await ada<{ records: { fields: { note: unknown } }[] }>('POST', '/data/v3/query', query)
  return body.records[0]?.fields.note
}
/** What is in the files of the parts of a job. */
function stored(id: string): string {
  const folder = join(test.dir, 'ingest', id)
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name)).toString('latin1'))
    .join('')
}
const unprocessed = async (id: string): Promise<string> =>
  (await ada('GET', `${jobs}/${id}/rows?of=unprocessed`)).text

it('in a job that ended early, what follows the last row that can be read is overwritten', async () => {
  await load(ada, upsert, `code,note\n${code}a,Zephyr\n`)
  const job = await load(ada, upsert, `code,note\n${code}b,Old\n${code}x,"Quux\n`)
  expect(job.state).toBe('failed')
  expect(stored(job.id)).toContain('Quux')
  await erase('contact', `${code}a`)
  expect(stored(job.id)).not.toContain('Quux')
  expect(await unprocessed(job.id)).toBe('code,note\r\n')
})

it('in a job that was aborted, rows by id and by value are overwritten with as many bytes', async () => {
  await load(ada, upsert, `code,note\n${code}a,Zephyr\n${code}b,Other\n`)
  const [a] = [await idOf('contact', `${code}a`)]
  const text = `code,note\n${code}b,1\n${code}a,"Two\nlines"\n${code}c,3\n`
  const byId = `id,note\n${a},By id\n${await idOf('contact', `${code}b`)},Kept\n`
  const ids = [
    await queued(upsert, text),
    await queued({ ...upsert, operation: 'update', externalId: undefined }, byId),
  ]
  for (const id of ids) await ada('POST', `${jobs}/${id}/abort`)
  const length = stored(ids[0]!).length
  await erase('contact', `${code}a`)
  expect(stored(ids[0]!)).not.toMatch(/Two|lines"/)
  expect(stored(ids[0]!)).toHaveLength(length)
  expect(await unprocessed(ids[0]!)).toBe(`code,note\r\n${code}b,1\n${code}c,3\n`)
  expect(stored(ids[1]!)).not.toContain('By id')
  expect(await unprocessed(ids[1]!)).toContain('Kept')
})

it('in a job that waits, the row fails with its line, and the others are saved', async () => {
  await load(ada, upsert, `code,note\n${code}a,Zephyr\n`)
  const id = await queued(upsert, `code,note\n${code}b,1\n${code}a,"Two\nlines"\n${code}c,3\n`)
  await erase('contact', `${code}a`)
  await resume(id)
  expect(await ended(ada, id)).toMatchObject({ state: 'completed', created: 2, failed: 1, rowsTotal: 3 })
  const { text } = await ada('GET', `${jobs}/${id}/results?format=jsonl`)
  const results = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { line: number; error: { message: string } | null })
  expect(results.map(({ line, error }) => [line, error?.message ?? null])).toEqual([
    [2, null],
    [3, 'The row referred to a record that was erased.'],
    [5, null],
  ])
  expect(String(await noteOf(`${code}a`))).toMatch(/^erased:/)
  expect((await ada('GET', `${jobs}/${id}/rows?of=failed`)).text).toBe('code,note\r\n')
})

it('a row of JSON Lines is found however it is written', async () => {
  await load(ada, upsert, `code,note\n${code}ü,Zephyr\n`)
  const request = { ...upsert, format: 'jsonl', columns: ['code', 'note'] }
  const escaped = `${code}\\u00fc`
  const id = await queued(
    request,
    `{"code":"${escaped}","note":"Again"}\n{"code":"${code}b","note":"Kept"}\n`,
  )
  await erase('contact', `${code}ü`)
  expect(stored(id)).not.toContain('Again')
  await resume(id)
  expect(await ended(ada, id)).toMatchObject({ created: 1, failed: 1 })
})

it('an open job loses the parts with the record, even if they cut its value', async () => {
  await load(ada, upsert, `code,note\n${code}key,Zephyr\n`)
  const id = await createJob(ada, upsert)
  const parts = [`code,note\n${code}k`, `ey,Again\n${code}b,1\n`, `${code}c,Kept\n`]
  for (const [at, part] of parts.entries()) await putPart(ada, id, at + 1, part)
  await erase('contact', `${code}key`)
  expect(stored(id)).toBe(parts[2])
  expect((await ada<Job>('GET', `${jobs}/${id}`)).body.bytes).toBe(parts[2]!.length)
  const closed = await ada('POST', `${jobs}/${id}/close`, { parts: 3 })
  expect(closed.body['detail']).toContain('these are missing: 1, 2')
  await putPart(ada, id, 1, 'code,note\n')
  await putPart(ada, id, 2, `${code}b,1\n`)
  await ada('POST', `${jobs}/${id}/close`, { parts: 3 })
  expect(await ended(ada, id)).toMatchObject({ state: 'completed', created: 2 })
})

it('a row of another object goes if it names the record by a sensitive value, and stays otherwise', async () => {
  const region = { object: 'region', operation: 'insert', format: 'csv' } as const
  await load(ada, region, `code,owner\n${code}r,Zephyrine\n`)
  const insert = { object: 'contact', operation: 'insert', format: 'csv' } as const
  const bySecret = await queued(insert, `code,region.owner\n${code}a,Zephyrine\n`)
  const byCode = await queued(insert, `code,region.code\n${code}b,${code}r\n`)
  await erase('region', `${code}r`)
  expect(stored(bySecret)).not.toContain('Zephyrine')
  await resume(bySecret)
  await resume(byCode)
  expect(await ended(ada, bySecret)).toMatchObject({ failed: 1 })
  expect(await ended(ada, byCode)).toMatchObject({ created: 1 })
})

it('rows that were read before the erasure are read again', async () => {
  await load(ada, upsert, `code,note\n${code}a,Zephyr\n`)
  const id = await queued(upsert, `code,note\n${code}a,Again\n`)
  const store = openRecordStore(orgFile(test.dir))
  await erase('contact', `${code}a`)
  await change(id, 'processing')
  const step = store.write((tx) =>
    tx.advanceIngest({
      ...{
        job: id,
        rows: 0,
        erased: 0,
        place: { offset: 1, rows: 1, lines: 1 },
        state: 'processing',
        at: 'now',
      },
      batch: { job: id, first: 1, outcomes: [], source: Buffer.alloc(0) },
    }),
  )
  await expect(step).rejects.toMatchObject({ code: 'ingest.state' })
  await store.close()
  await ada('POST', `${jobs}/${id}/abort`)
})

/** A job that is closed, held back from the server as if it was aborted: its rows are erased in the same way. */
async function queued(request: object, text: string): Promise<string> {
  const id = await createJob(ada, request)
  await putPart(ada, id, 1, text)
  await test.beside(async ({ ingests, org }) => {
    const by: IngestCaller = {
      ...{ user: 'ada', client: null, isOperator: false, generation: org.activeGeneration() },
      ...{ scopePath: {}, correlationId: 'c' },
    }
    await ingests.close(by, id, 1)
  })
  await change(id, 'aborted')
  return id
}

/** Lets the server go on with it. */
async function resume(id: string): Promise<void> {
  await change(id, 'queued')
  await ada('POST', `${jobs}/${id}/close`, { parts: 1 })
}

async function change(id: string, state: IngestState): Promise<void> {
  const store = openRecordStore(orgFile(test.dir))
  await store.write(async (tx) => tx.putIngest({ ...(await tx.ingest(id))!, state, finishedAt: null }))
  await store.close()
}
