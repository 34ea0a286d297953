// The columns of a bulk job count as use by its client, and a user has a limited number of jobs that have not ended.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apply, signIn } from '../support/billing-org.ts'
import { contactComponents, createJob, ended, jobs, load, putPart } from '../support/ingest-requests.ts'
import { runningServer, type Ask, type TestServer } from '../support/running-server.ts'

let test: TestServer
let asks: Record<string, Ask>
beforeAll(async () => {
  test = await runningServer()
  await apply(test.studio, contactComponents())
  const users = ['ada', 'bob', 'cy'].map((key) => ({ key, permissionSets: ['loader'] }))
  asks = await signIn(test, users)
})
afterAll(() => test.close())

const csv = { object: 'contact', operation: 'insert', format: 'csv' } as const

interface Use {
  object: string
  field: string | null
  name: string
}
const usesOf = async (client: string): Promise<string[]> => {
  const { body } = await test.studio<{ uses: Use[] }>('GET', `/setup/v3/clients/${client}/uses`)
  return body.uses.map(({ object, field, name }) => `${object}.${field} as ${name}`).sort()
}
type Contact = { key: string; body: { fields: { key: string; aliases?: string[] }[] } }
/** The codes of the findings if the fields of contacts change. */
async function findingsWith(change: (contact: Contact) => void): Promise<string[]> {
  const contact = structuredClone(contactComponents()[1] as Contact)
  change(contact)
  const { body } = await test.studio<{ findings: { code: string; message: string }[] }>(
    'POST',
    '/metadata/v3/plan',
    { components: [contact] },
  )
  return body.findings.flatMap(({ code, message }) => (code === 'deploy.field_in_use' ? [message] : []))
}

describe('the columns of a bulk job', () => {
  it('are used by its client, by the names that they have, once it is closed', async () => {
    const id = await createJob(asks['ada']!, { ...csv, operation: 'upsert', externalId: 'code' })
    await putPart(asks['ada']!, id, 1, 'code,full_name,region.code\nA1,Ada,\n')
    await expect.poll(() => usesOf('ada')).toEqual(['contact.null as contact'])
    await asks['ada']!('POST', `${jobs}/${id}/close`, { parts: 1 })
    const expected = [
      ...['contact.code as code', 'contact.name as full_name', 'contact.null as contact'],
      ...['contact.region as region', 'region.code as code'],
    ]
    await expect.poll(() => usesOf('ada')).toEqual(expected)
    expect((await ended(asks['ada']!, id)).state).toBe('completed')
    const findings = await findingsWith((contact) => {
      contact.body.fields.find(({ key }) => key === 'name')!.aliases = []
    })
    expect(findings).toEqual([expect.stringContaining('ada')])
  })

  it('are used again by each batch, so that the time of a long job does not count from its beginning', async () => {
    await load(asks['bob']!, csv, 'code,amount\nB1,1\n')
    await expect.poll(() => usesOf('bob')).toContain('contact.amount as amount')
    // As if the job had been closed long ago: what is left are the uses that a batch notes.
    const id = await createJob(asks['cy']!, { ...csv, columns: ['code', 'note'] })
    await putPart(asks['cy']!, id, 1, 'C1,x\n')
    await test.beside(async ({ ingests, records, org }) => {
      const by = {
        ...{ user: 'cy', client: 'cy', isOperator: false, scopePath: {} as never, correlationId: 'c' },
        generation: org.activeGeneration(),
      }
      await ingests.close(by, id, 1)
      // This process ends without having written them.
      records.takeUses()
    })
    await expect.poll(() => usesOf('cy'), { timeout: 20_000 }).toContain('contact.note as note')
  })
})

describe('a user', () => {
  it('has at most 50 bulk jobs that have not ended, and others are not affected', async () => {
    const ask = asks['bob']!
    const ids: string[] = []
    for (let at = 0; at < 50; at += 1) ids.push(await createJob(ask, csv))
    const refused = await ask('POST', jobs, csv)
    expect([refused.status, refused.body]).toMatchObject([
      429,
      { code: 'limit.open_jobs', class: 'limit', detail: expect.stringContaining('?state=open') },
    ])
    await createJob(asks['cy']!, csv)
    expect((await ask('POST', `${jobs}/${ids[0]}/abort`)).status).toBe(200)
    await createJob(ask, csv)
    expect((await ask('POST', jobs, csv)).status).toBe(429)
    const metrics = await test.plain('GET', '/metrics')
    expect(metrics.text).toMatch(/^almanac_bulk_jobs\{state="open"\} 51$/m)
    expect(metrics.text).toMatch(/^almanac_bulk_rows_total\{outcome="saved"\} [1-9]\d*$/m)
  })
})
