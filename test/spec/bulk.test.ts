// Each bulk job of the table over HTTP.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { apply, signIn } from '../support/billing-org.ts'
import {
  contactComponents,
  createJob,
  ended,
  jobs,
  load,
  mediaOf,
  putPart,
} from '../support/ingest-requests.ts'
import { runningServer, type Ask, type TestServer } from '../support/running-server.ts'
import { bulkCases } from './bulk.table.ts'

let test: TestServer
let ada: Ask
beforeAll(async () => {
  test = await runningServer()
  await apply(test.studio, contactComponents())
  ada = (await signIn(test, [{ key: 'ada', permissionSets: ['loader'] }]))['ada']!
  await load(ada, { object: 'region', operation: 'insert', format: 'csv' }, 'code\nnorth\n')
})
afterAll(() => test.close())

async function contact(code: string): Promise<Record<string, unknown> | null> {
  const { body } = await ada<{ records: { fields: Record<string, unknown> }[] }>('POST', '/data/v3/query', {
    object: 'contact',
    fields: ['code', 'name', 'amount', 'active', 'born', 'note', 'twice', 'region.code'],
    filter: `code == "${code}"`,
  })
  return body.records[0]?.fields ?? null
}

interface Result {
  line: number
  outcome: string
  error: { message: string } | null
}

async function resultsOf(id: string): Promise<[number, string, string?][]> {
  const { text } = await ada('GET', `${jobs}/${id}/results?format=jsonl`)
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Result)
    .map(({ line, outcome, error }) => (error === null ? [line, outcome] : [line, outcome, error.message]))
}

it.each(bulkCases.map((each, at) => [each.name, each, `K${at}_`] as const))(
  '%s',
  async (_name, each, prefix) => {
    const own = (text: string): string => text.replaceAll('{}', prefix)
    const base = { object: 'contact', operation: 'insert', format: 'csv' as const }
    if (each.before !== undefined)
      await load(ada, { ...base, operation: 'upsert', externalId: 'code' }, own(each.before))
    const request = { ...base, ...each.request } as typeof base
    if (each.refused !== undefined) {
      const [status, code, message] = each.refused
      const refused = await ada('POST', jobs, request)
      expect([refused.status, refused.body['code']]).toEqual([status, code])
      return expect(String(refused.body['detail'])).toMatch(message)
    }
    const id = await createJob(ada, request)
    const parts = each.parts ?? [[1, each.text!] as const]
    for (const [number, text] of parts) {
      const sent = await putPart(ada, id, number, own(text), { 'content-type': mediaOf[request.format] })
      expect(sent).toMatchObject({ status: 200, body: { part: number, bytes: Buffer.byteLength(own(text)) } })
    }
    const count = each.closes ?? Math.max(...parts.map(([number]) => number))
    const closed = await ada('POST', `${jobs}/${id}/close`, { parts: count })
    if (each.notClosed !== undefined) {
      const [status, code, message] = each.notClosed
      expect([closed.status, closed.body['code']]).toEqual([status, code])
      expect(String(closed.body['detail'])).toMatch(message)
      return expect((await ada('GET', `${jobs}/${id}`)).body['state']).toBe('open')
    }
    expect(closed.status, closed.text).toBe(200)
    const job = await ended(ada, id)
    expect(job).toMatchObject({ state: 'completed', ...each.job })
    const results = await resultsOf(id)
    // Every row once.
    expect(results).toHaveLength(job.rowsDone)
    for (const [at, [line, outcome, message = '']] of (each.results ?? []).entries()) {
      expect(results[at]!.slice(0, 2)).toEqual([line, outcome])
      expect(results[at]![2] ?? '').toContain(message)
    }
    if (each.results !== undefined) expect(results).toHaveLength(each.results.length)
    for (const [code, fields] of Object.entries(each.contacts ?? {})) {
      const found = await contact(own(code))
      if (fields === null) expect(found).toBeNull()
      else expect(found).toMatchObject(fields)
    }
    const rows = async (of: string): Promise<string> => (await ada('GET', `${jobs}/${id}/rows?of=${of}`)).text
    if (each.failedRows !== undefined) expect(await rows('failed')).toBe(own(each.failedRows))
    if (each.unprocessed !== undefined) expect(await rows('unprocessed')).toBe(own(each.unprocessed))
  },
)
