// Bulk ingest over HTTP: parts, columns, rows, results.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
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
let bob: Ask
let ops: Ask
beforeAll(async () => {
  test = await runningServer()
  await apply(test.studio, contactComponents())
  const users = await signIn(test, [
    { key: 'ada', permissionSets: ['loader'] },
    { key: 'bob', permissionSets: ['loader'] },
    { key: 'ops', permissionSets: ['loader', 'operator'] },
  ])
  ;[ada, bob, ops] = [users['ada']!, users['bob']!, users['ops']!]
})
afterAll(() => test.close())

let number = 0
/** A code that no other test uses. */
let code: string
beforeEach(() => void (code = `C${(number += 1)}`))

const csv = { object: 'contact', operation: 'insert', format: 'csv' } as const
const upsert = { ...csv, operation: 'upsert', externalId: 'code' } as const

async function resultsOf(ask: Ask, id: string, query = ''): Promise<Record<string, unknown>[]> {
  const { text } = await ask('GET', `${jobs}/${id}/results?format=jsonl${query}`)
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
}
const contact = async (key: string): Promise<Record<string, unknown> | undefined> => {
  const query = {
    object: 'contact',
    fields: ['code', 'name', 'amount', 'active', 'born', 'note', 'twice', 'region.code'],
    filter: `code == "${key}"`,
  }
  const { body } = await ada<{ records: { fields: Record<string, unknown> }[] }>(
    'POST',
    '/data/v3/query',
    query,
  )
  return body.records[0]?.fields
}

describe('a bulk job', () => {
  it('saves each row through the save order, in parts that are cut anywhere', async () => {
    const rows = Array.from({ length: 450 }, (_, at) => `${code}_${at},Name ${at},${at}.5,true,2001-02-03`)
    const text = `code,full_name,amount,active,born\n${rows.join('\n')}\n`
    const job = await load(ada, csv, text, 777)
    expect(job).toMatchObject({
      state: 'completed',
      rowsTotal: 450,
      rowsDone: 450,
      succeeded: 450,
      created: 450,
      failed: 0,
    })
    expect(job).toMatchObject({
      bytes: text.length,
      bytesDone: text.length,
      columns: ['code', 'full_name', 'amount', 'active', 'born'],
    })
    expect(await contact(`${code}_449`)).toMatchObject({
      name: 'Name 449',
      amount: '449.50',
      twice: '899.00',
      active: true,
      born: '2001-02-03',
    })
  })

  it('reports each row once, in the order of the rows, with its line', async () => {
    const job = await load(
      ada,
      csv,
      `code,amount,note\n${code}a,1,"two\nlines"\n${code}b,-1,\n${code}c,x,"a"\n${code}d,2\n${code}e,3,ok`,
    )
    expect(job).toMatchObject({ state: 'completed', created: 2, failed: 3 })
    const results = await resultsOf(ada, job.id)
    expect(results.map(({ line, outcome }) => [line, outcome])).toEqual([
      [2, 'created'],
      [4, 'failed'],
      [5, 'failed'],
      [6, 'failed'],
      [7, 'created'],
    ])
    expect(results[0]).toMatchObject({
      id: expect.any(String) as string,
      error: null,
      row: { code: `${code}a`, amount: '1', note: 'two\nlines' },
    })
    expect(results.slice(1, 4).map(({ error }) => (error as { message: string }).message)).toEqual([
      expect.stringContaining('No negative amounts.'),
      expect.stringContaining('amount'),
      'The row has 2 cells, but there are 3 columns.',
    ])
    const failed = await resultsOf(ada, job.id, '&outcome=failed')
    expect(failed.map(({ line }) => line)).toEqual([4, 5, 6])
    const again = await ada('GET', `${jobs}/${job.id}/rows?of=failed`)
    expect(again.text).toBe(`code,amount,note\r\n${code}b,-1,\n${code}c,x,"a"\n${code}d,2\n`)
    const table = await ada('GET', `${jobs}/${job.id}/results?outcome=created`)
    expect(table.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(table.text.split('\r\n')[0]).toBe('line,id,outcome,code,error,row.code,row.amount,row.note')
  })

  it('finds records by a unique field, clears empty cells, and leaves unchanged rows alone', async () => {
    await load(ada, upsert, `code,name,amount\n${code}a,One,1\n${code}b,Two,2\n`)
    const job = await load(ada, upsert, `code,name,amount\n${code}a,One,1.00\n${code}b,,2\n${code}c,"",3\n`)
    expect(job).toMatchObject({ created: 1, changed: 1, unchanged: 1, succeeded: 3, failed: 0 })
    expect(await contact(`${code}b`)).toMatchObject({ name: null, amount: '2.00' })
    const { body } = await ada<{ records: { version: number }[] }>('POST', '/data/v3/query', {
      ...{ object: 'contact', fields: ['code'], filter: `code == "${code}a"` },
    })
    expect(body.records[0]!.version).toBe(1)
  })

  it('refers to records by a unique field, and deletes', async () => {
    await load(ada, { ...csv, object: 'region' }, `code\n${code}\n`)
    const made = await load(ada, csv, `code,region.code\n${code}a,${code}\n${code}b,nowhere\n${code}c,\n`)
    expect(made).toMatchObject({ created: 2, failed: 1 })
    expect(await contact(`${code}a`)).toMatchObject({ 'region.code': code })
    const gone = await load(ada, { ...upsert, operation: 'delete' }, `code\n${code}a\n${code}c\n${code}x\n`)
    expect(gone).toMatchObject({ deleted: 2, failed: 1 })
    expect(await contact(`${code}a`)).toBeUndefined()
  })

  it('takes JSON Lines, in which a missing member keeps the value of its field', async () => {
    const jsonl = { ...upsert, format: 'jsonl', columns: ['code', 'name', 'amount', 'active'] } as const
    await load(ada, jsonl, `{"code":"${code}","name":"One","amount":"1.25","active":false}\n\n`)
    const job = await load(
      ada,
      jsonl,
      `{"code":"${code}","amount":2}\n{"code":"x","code":"y"}\n{"other":1}\n[]\n{"cod`,
    )
    expect(job).toMatchObject({ changed: 1, failed: 4 })
    expect(await contact(code)).toMatchObject({ name: 'One', amount: '2.00', active: false })
  })

  it('is fetched, listed and ended by its creator alone', async () => {
    const id = await createJob(ada, csv)
    expect((await bob('GET', `${jobs}/${id}`)).status).toBe(404)
    expect((await bob('POST', `${jobs}/${id}/abort`)).status).toBe(404)
    expect((await test.studio('GET', `${jobs}/${id}`)).status).toBe(200)
    const { body } = await bob<{ jobs: Job[] }>('GET', jobs)
    expect(body.jobs.map((job) => job.id)).not.toContain(id)
    const { body: aborted } = await ada<Job>('POST', `${jobs}/${id}/abort`)
    expect(aborted.state).toBe('aborted')
    expect(await putPart(ada, id, 1, 'code\n')).toMatchObject({ status: 409, body: { code: 'ingest.state' } })
  })
})

describe('the parts of a job', () => {
  it('can be sent compressed, with a digest, in any order, and again', async () => {
    const id = await createJob(ada, csv)
    const sent = gzipSync(`\n${code}b,2`)
    const digest = createHash('sha256').update(sent).digest('base64')
    const headers = { 'content-encoding': 'gzip', 'content-digest': `sha-256=:${digest}:` }
    expect(await putPart(ada, id, 2, sent, headers)).toMatchObject({
      status: 200,
      body: { part: 2, bytes: code.length + 4 },
    })
    await putPart(ada, id, 1, 'wrong')
    await putPart(ada, id, 1, `code,amount\n${code}a,1`)
    await ada('POST', `${jobs}/${id}/close`, { parts: 2 })
    expect(await ended(ada, id)).toMatchObject({ created: 2, failed: 0 })
    expect((await ada<Job>('POST', `${jobs}/${id}/close`, { parts: 2 })).body.state).toBe('completed')
  })

  it('with a wrong digest are refused, and nothing of them is kept', async () => {
    const id = await createJob(ada, csv)
    const wrong = { 'content-digest': `sha-256=:${Buffer.alloc(32).toString('base64')}:` }
    expect(await putPart(ada, id, 1, 'code\n', wrong)).toMatchObject({
      status: 400,
      body: { code: 'ingest.digest' },
    })
    expect(await ada('POST', `${jobs}/${id}/close`, { parts: 1 })).toMatchObject({
      status: 422,
      body: { code: 'ingest.parts' },
    })
    expect((await ada<Job>('GET', `${jobs}/${id}`)).body.bytes).toBe(0)
  })

  it.each<[string, Uint8Array, Record<string, string>, number, string]>([
    [
      'a bomb',
      gzipSync(Buffer.alloc(101 * 1024 * 1024)),
      { 'content-encoding': 'gzip' },
      413,
      'request.too_large',
    ],
    ['broken', Buffer.from('not gzip'), { 'content-encoding': 'gzip' }, 400, 'request.malformed'],
    [
      'cut off',
      gzipSync('code\n'.repeat(100)).subarray(0, 20),
      { 'content-encoding': 'gzip' },
      400,
      'request.malformed',
    ],
    [
      'of another media type',
      Buffer.from('{}'),
      { 'content-type': 'application/json' },
      415,
      'request.media_type',
    ],
    [
      'followed by other bytes',
      Buffer.concat([brotliCompressSync('code\n'), Buffer.from('B1\n')]),
      { 'content-encoding': 'br' },
      400,
      'request.malformed',
    ],
    [
      'of a part of themselves',
      Buffer.from('code'),
      { 'content-range': 'bytes 0-3/100' },
      400,
      'request.malformed',
    ],
    [
      'of a digest that is not known',
      Buffer.from('code'),
      { 'content-digest': 'md5=:AAAA:' },
      400,
      'request.malformed',
    ],
  ])('%s are refused, and leave no file', async (_name, body, headers, status, code) => {
    const id = await createJob(ada, csv)
    expect(await putPart(ada, id, 1, body, headers)).toMatchObject({ status, body: { code } })
    const folder = join(test.dir, 'ingest', id)
    expect(existsSync(folder) ? readdirSync(folder) : []).toEqual([])
    expect((await putPart(ada, id, 1, 'code\n')).status).toBe(200)
  })

  it('that are missing or too many keep the job open', async () => {
    const id = await createJob(ada, csv)
    await putPart(ada, id, 1, 'code\n')
    await putPart(ada, id, 3, 'x\n')
    for (const parts of [2, 3])
      expect((await ada('POST', `${jobs}/${id}/close`, { parts })).body['code']).toBe('ingest.parts')
    expect((await ada<Job>('GET', `${jobs}/${id}`)).body.state).toBe('open')
  })
})

describe('the columns of a job', () => {
  it.each<[string, string, RegExp]>([
    ['an unknown one', 'code,nme', /has no field "nme"\. Did you mean "name"/],
    ['a computed one', 'code,twice', /twice is computed/],
    ['a hidden one', 'code,secret', /has no field "secret"/],
    ['a repeated one', 'code,code', /occurs twice/],
    ['two names of one field', 'name,full_name', /are the same field/],
    ['an id of new records', 'id,code', /no column "id"/],
    ['a path to a field that is not unique', 'code,region.name', /has no unique field "name"/],
    ['a million names', ','.repeat(1_000_000), /has 1,000,001 columns, but a job has at most 1,000/],
    ['a name that is a text', `code,${'x'.repeat(900_000)}`, /name of column 2 is longer than 200/],
    ['no end', `code,${'x'.repeat(3_000_000)}`, /is not in the first MiB/],
  ])('with %s are refused by name when it is closed', async (_name, header, message) => {
    const id = await createJob(ada, csv)
    await putPart(ada, id, 1, `${header}\na,b\n`)
    const { status, body } = await ada('POST', `${jobs}/${id}/close`, { parts: 1 })
    expect([status, body['code']]).toEqual([422, 'ingest.columns'])
    expect(body['detail']).toMatch(message)
    expect(JSON.stringify(body).length).toBeLessThan(2000)
  })

  it.each<[string, object, RegExp]>([
    ['JSON Lines without columns', { ...csv, format: 'jsonl' }, /needs "columns"/],
    [
      'an upsert without externalId',
      { ...csv, operation: 'upsert', columns: ['code'] },
      /needs an "externalId"/,
    ],
    ['an update without an id', { ...csv, operation: 'update', columns: ['name'] }, /needs a column "id"/],
    [
      'an externalId that is not unique',
      { ...upsert, externalId: 'name', columns: ['name'] },
      /no unique field "name"/,
    ],
    [
      'an externalId without its column',
      { ...upsert, columns: ['name'] },
      /column "code" of "externalId" is missing/,
    ],
  ])('of %s are refused when it is created', async (_name, request, message) => {
    const { status, body } = await ada('POST', jobs, request)
    expect([status, body['code']]).toEqual([422, 'ingest.columns'])
    expect(body['detail']).toMatch(message)
  })
})

it.each([
  ['little', [0xff, 0xfe]],
  ['big', [0xfe, 0xff]],
])('parts in UTF-16 with a byte order mark (%s-endian) are refused by what they are', async (_name, mark) => {
  const text = Buffer.from('code\n', 'utf16le')
  for (const request of [
    csv,
    { ...csv, columns: ['code'] },
    { ...csv, format: 'jsonl', columns: ['code'] },
  ]) {
    const id = await createJob(ada, request)
    await putPart(ada, id, 1, Buffer.from(mark.slice(0, 1)))
    await putPart(ada, id, 2, Buffer.concat([Buffer.from(mark.slice(1)), text]))
    const { status, body } = await ada('POST', `${jobs}/${id}/close`, { parts: 2 })
    expect([status, body['code'], body['detail']]).toEqual([
      422,
      'ingest.row',
      expect.stringContaining('UTF-16'),
    ])
  }
})

it('rows in another encoding are sent again with the failed ones, and are not taken for erased ones', async () => {
  const row = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(`${code}a,x\n`)])
  const text = Buffer.concat([Buffer.from('code,name\n'), row, Buffer.from(`${code}b,y\n`)])
  const job = await load(ada, csv, text)
  expect(job).toMatchObject({ state: 'completed', rowsTotal: 2, created: 1, failed: 1 })
  const [failed, created] = await resultsOf(ada, job.id)
  expect(failed!['error']).toMatchObject({ message: 'The row is not valid UTF-8.' })
  expect(created).toMatchObject({ line: 3, row: { code: `${code}b`, name: 'y' } })
  const { text: again } = await ada('GET', `${jobs}/${job.id}/rows?of=failed`)
  expect(again).toBe(`code,name\r\n${row.toString()}`)
})

it('a record that was deleted by its external ID is named, so that its erasure finds the row', async () => {
  const added = await load(ada, csv, `code,note\n${code}a,Hidden person\n`)
  const [{ id } = {}] = await resultsOf(ada, added.id)
  const job = await load(ada, { ...upsert, operation: 'delete' }, `code,note\n${code}a,Hidden person\n`)
  expect(await resultsOf(ada, job.id)).toMatchObject([{ outcome: 'deleted', id }])
  const erasure = { object: 'contact', id, reason: 'Request 8' }
  expect((await ops('POST', '/setup/v3/erasures', erasure)).status).toBe(200)
  expect(JSON.stringify(await resultsOf(ada, job.id))).not.toContain('Hidden person')
})

it('a row whose end is not known ends the job, and what is left can be sent again', async () => {
  const job = await load(ada, csv, `code,name\n${code}a,One\n${code}b,"never closed\n${code}c,Three\n`)
  expect(job).toMatchObject({ state: 'failed', created: 1, problem: { code: 'ingest.row' } })
  expect(job.problem!.message).toContain('line 3')
  const left = await ada('GET', `${jobs}/${job.id}/rows?of=unprocessed`)
  expect(left.text).toBe(`code,name\r\n${code}b,"never closed\n${code}c,Three\n`)
})

it('an erasure reaches the rows of a job as they were sent', async () => {
  const [note, other] = ['Zephyrine "Quux", Bonn', 'Another note']
  const cell = `"${note.replaceAll('"', '""')}"`
  const rows = [`${code}a,${cell},1`, `${code}b,${cell},-1`, `${code}c,${other},1`, `${code}d,${cell},x"`]
  const job = await load(ada, csv, `code,note,amount\n${rows.join('\n')}\n`)
  expect(job).toMatchObject({ state: 'completed', created: 2, failed: 2 })
  const [first] = await resultsOf(ada, job.id)
  const erasure = { object: 'contact', id: first!['id'], reason: 'Request 7' }
  expect((await ops('POST', '/setup/v3/erasures', erasure)).status).toBe(200)

  const results = await resultsOf(ada, job.id)
  expect(results.map(({ line, outcome }) => [line, outcome])).toEqual([
    [2, 'created'],
    [3, 'failed'],
    [4, 'created'],
    [5, 'failed'],
  ])
  expect(JSON.stringify(results)).not.toContain('Zephyrine')
  expect(JSON.stringify(results)).toContain(other)
  const { text } = await ada('GET', `${jobs}/${job.id}/rows?of=failed`)
  expect(text).not.toContain('Zephyrine')
  expect(text).toContain(`${code}b,`)
})
