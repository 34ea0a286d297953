// Jobs over records: recompute, replay, and the fill of stored fields that a deploy adds.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { billing } from '../../server/kernel/records/fixture.ts'
import { apply, billingComponents, clerk, signIn } from '../support/billing-org.ts'
import { runningServer, type Ask, type TestServer } from '../support/running-server.ts'

interface Job {
  id: string
  state: string
  object: string | null
  total: number | null
  done: number
  changed: number
  failed: number
  failures: { record: string; code: string }[]
  problem: { code: string } | null
}
interface Saved {
  id: string
  version: number
  fields: Record<string, unknown>
}

const operator = {
  ...{ type: 'permission_set', key: 'operator', label: 'Operator' },
  body: { systemPermissions: ['operations.manage'] },
}
/** Sees and changes only own customers. */
const partial = {
  ...{ type: 'permission_set', key: 'partial', label: 'Partial' },
  body: {
    systemPermissions: ['operations.manage'],
    objects: { invoice: { read: true, update: true } },
    fields: { 'invoice.tax': { read: true }, 'invoice.net': { read: true } },
  },
}

let test: TestServer
let ada: Ask
let cid: Ask
let ole: Ask
let pat: Ask
beforeAll(async () => {
  test = await runningServer()
  await apply(test.studio, [...billingComponents(), clerk(), operator, partial])
  const users = [
    { key: 'ada', permissionSets: ['clerk', 'operator'] },
    { key: 'cid', permissionSets: ['clerk'] },
    { key: 'ole', permissionSets: ['operator'] },
    { key: 'pat', permissionSets: ['partial'] },
  ]
  ;({ ada, cid, ole, pat } = (await signIn(test, users)) as { ada: Ask; cid: Ask; ole: Ask; pat: Ask })
  const { body: buyer } = await ada<Saved>('POST', '/data/v3/customer', { name: 'Ada', country: 'DE' })
  for (let page = 0; page < 2; page += 1)
    await ada('POST', '/data/v3/invoice/batch', {
      records: Array.from({ length: 130 }, (_, at) => ({
        op: 'insert',
        fields: {
          ...{ number: `J-${page}-${at}`, customer: buyer.id, net: '100' },
          tax_point: at % 2 === 0 ? '2022-01-01' : '2019-01-01',
        },
      })),
    })
})
afterAll(() => test.close())

const isEnded = ({ state }: Job): boolean => state !== 'queued' && state !== 'processing'

/** Expects that the total of a job, once it is counted, is the one at its end. */
async function ended(id: string, ask = ada): Promise<Job> {
  const totals = new Set<number>()
  for (;;) {
    const { body } = await ask<Job>('GET', `/setup/v3/jobs/${id}`)
    if (body.total !== null) totals.add(body.total)
    expect(totals.size).toBeLessThan(2)
    if (isEnded(body)) return body
    await new Promise((done) => setTimeout(done, 20))
  }
}
async function run(kind: string, more: object = {}, ask = ada): Promise<Job> {
  const { status, body, text } = await ask<Job>('POST', '/setup/v3/jobs', {
    kind,
    object: 'invoice',
    ...more,
  })
  expect([status, text]).toEqual([202, expect.anything()])
  return ended(body.id, ask)
}
const taxes = async (): Promise<Record<string, number>> => {
  const { body } = await ada<{ records: Saved[] }>('POST', '/data/v3/query', {
    ...{ object: 'invoice', fields: ['tax'], limit: 2000 },
  })
  const counts: Record<string, number> = {}
  for (const { fields } of body.records)
    counts[String(fields['tax'])] = (counts[String(fields['tax'])] ?? 0) + 1
  return counts
}
const deploy = (bodies: Record<string, object>, hints: object = {}): Promise<void> =>
  apply(
    test.studio,
    billingComponents(bodies as never).map((component) => ({ ...component, ...hints })),
  )

describe('a recompute of an object', () => {
  it('stores what the active generation computes, and writes only records that change', async () => {
    await deploy({ 'config_entry/vat.de_2021': billing('0.2500')['config_entry/vat.de_2021']! })
    expect(await taxes()).toEqual({ '19.00': 260 })
    const job = await run('recompute', { filter: 'tax_point >= date("2021-01-01")' })
    expect(job).toMatchObject({
      ...{ object: 'invoice', state: 'completed', total: 130, done: 130, changed: 130, failed: 0 },
      ...{ failures: [], problem: null },
    })
    expect(await taxes()).toEqual({ '19.00': 130, '25.00': 130 })
    expect(await run('recompute', { filter: 'tax_point >= date("2021-01-01")' })).toMatchObject({
      done: 130,
      changed: 0,
    })
  })

  it('names the records that the rules refuse, and continues', async () => {
    const strict = billing('0.2500')['object/invoice'] as { validationRules: object[] }
    const rule = { key: 'small', when: 'net >= 100 && tax > 20', message: 'The tax is too high.' }
    await deploy({ 'object/invoice': { ...strict, validationRules: [...strict.validationRules, rule] } })
    await deploy({ 'config_entry/vat.de_2021': billing('0.2600')['config_entry/vat.de_2021']! })
    const job = await run('recompute', { filter: 'tax == 25' })
    expect(job).toMatchObject({ state: 'completed', done: 130, changed: 0, failed: 130 })
    expect(job.failures).toHaveLength(100)
    expect(job.failures[0]!.code).toBe('record.invalid')
    await deploy({ 'object/invoice': strict })
  })

  it('needs operations.manage and the rights on the records', async () => {
    const refusal = async (ask: Ask, kind = 'recompute'): Promise<unknown[]> => {
      const { status, body } = await ask('POST', '/setup/v3/jobs', { kind, object: 'invoice' })
      return [status, body['code']]
    }
    expect(await refusal(cid)).toEqual([403, 'access.denied'])
    expect(await refusal(ole)).toEqual([404, 'object.not_found'])
    // This user can see none of the records.
    expect(await run('recompute', {}, pat)).toMatchObject({ state: 'completed', done: 0, changed: 0 })
    const hidden = await pat('POST', '/setup/v3/jobs', {
      ...{ kind: 'recompute', object: 'invoice', filter: 'state == "open"' },
    })
    expect([hidden.status, hidden.body['code']]).toEqual([422, 'expression.invalid'])
  })

  it('shows only its progress to users who cannot see the object', async () => {
    const { body } = await ole<{ jobs: Job[] }>('GET', '/setup/v3/jobs')
    expect(new Set(body.jobs.map(({ object }) => object))).toEqual(new Set([null]))
    expect(body.jobs.flatMap(({ failures }) => failures)).toEqual([])
    expect((await ole('GET', '/setup/v3/jobs/unknown')).body['code']).toBe('record.job_not_found')
  })

  it.each([
    ['recompute', {}, () => ada, 260],
    ['recompute', { filter: 'tax_point == date("2022-01-01")' }, () => ada, 130],
    ['recompute', {}, () => pat, 0],
    ['replay', { filter: 'number.startsWith("J-1-10")' }, () => ada, 11],
    ['replay', { boundBefore: 1 }, () => ada, 0],
  ] as const)('%s %j counts the records that it takes', async (kind, more, asker, total) => {
    expect(await run(kind, more, asker())).toMatchObject({ state: 'completed', total, done: total })
  })

  it('is listed with the others, newest first, page by page', async () => {
    const started: string[] = []
    for (let count = 0; count < 3; count += 1) started.unshift((await run('replay')).id)
    const pages: string[][] = []
    let cursor = ''
    do {
      const { body } = await ada<{ jobs: Job[]; nextCursor: string | null }>(
        'GET',
        `/setup/v3/jobs?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`,
      )
      pages.push(body.jobs.map(({ id }) => id))
      cursor = body.nextCursor ?? ''
    } while (cursor !== '')
    const { body: all } = await ada<{ jobs: Job[]; nextCursor: null }>('GET', '/setup/v3/jobs?limit=2000')
    expect(all.nextCursor).toBe(null)
    expect(pages.flat()).toEqual(all.jobs.map(({ id }) => id))
    expect(pages.slice(0, -1).map((page) => page.length)).toEqual(pages.slice(0, -1).map(() => 2))
    expect(pages.flat().slice(0, 3)).toEqual(started)
    const other = await ada('GET', `/metadata/v3/components?limit=1`)
    const foreign = await ada('GET', `/setup/v3/jobs?cursor=${String(other.body['nextCursor'])}`)
    expect([foreign.status, foreign.body['code']]).toEqual([400, 'request.malformed'])
  })

  it('can be ended', async () => {
    const { body } = await ada<Job>('POST', '/setup/v3/jobs', { kind: 'replay', object: 'invoice' })
    const aborted = await ada<Job>('POST', `/setup/v3/jobs/${body.id}/abort`)
    expect(['aborted', 'completed']).toContain(aborted.body.state)
    expect(await ended(body.id)).toMatchObject({ state: aborted.body.state })
  })
})

describe('a change that more than 200 records read', () => {
  it('is followed by a job, which starts with the save', async () => {
    const { body: found } = await ada<{ records: Saved[] }>('POST', '/data/v3/query', {
      object: 'customer',
      fields: ['name', 'country'],
    })
    const [buyer] = found.records
    const seen = new Set<string>()
    const change = async (country: string): Promise<Job | undefined> => {
      const { status } = await ada(
        'PATCH',
        `/data/v3/customer/${buyer!.id}`,
        { country },
        { 'if-match': '*' },
      )
      expect(status).toBe(200)
      for (;;) {
        const { body } = await ada<{ jobs: (Job & { kind: string })[] }>('GET', '/setup/v3/jobs')
        const job = body.jobs.find(({ kind, id }) => kind === 'follow' && !seen.has(id))
        if (job !== undefined && job.state !== 'queued' && job.state !== 'processing') {
          seen.add(job.id)
          return job
        }
        await new Promise((done) => setTimeout(done, 10))
      }
    }
    expect(await change('AT')).toMatchObject({ object: 'invoice', state: 'completed', done: 260, failed: 0 })
    const count = async (filter: string): Promise<number> => {
      const query = { object: 'invoice', fields: ['tax'], filter, limit: 2000 }
      return (await ada<{ records: Saved[] }>('POST', '/data/v3/query', query)).body.records.length
    }
    expect(await count('tax == 20')).toBe(260)
    await change('DE')
  })
})

describe('a replay of an object', () => {
  it('reproduces every stored value at its generation', async () => {
    expect(await run('replay')).toMatchObject({ state: 'completed', done: 260, changed: 0, failed: 0 })
  })
})

describe('a stored formula that is added to an object with records', () => {
  it('is computed for them by a job, and can be used in filters when it has ended', async () => {
    const object = billing('0.2600')['object/invoice'] as { fields: object[] }
    const number = { type: 'number', precision: 12, scale: 2 }
    const added = { key: 'double', ...number, formula: { expression: 'net * 2', stored: true } }
    await deploy({ 'object/invoice': { ...object, fields: [...object.fields, added] } })
    await apply(test.studio, [
      clerk({ ...billing(), 'object/invoice': { ...object, fields: [...object.fields, added] } }),
    ])
    const query = { object: 'invoice', fields: ['double'], filter: 'double == 200', limit: 2000 }
    for (;;) {
      const { status, body } = await ada<{ records: Saved[]; code?: string }>('POST', '/data/v3/query', query)
      if (status === 200) {
        expect(body.records).toHaveLength(260)
        break
      }
      expect([status, body.code]).toEqual([409, 'record.filling'])
      await new Promise((done) => setTimeout(done, 10))
    }
    const { body } = await ada<{ jobs: (Job & { kind: string })[] }>('GET', '/setup/v3/jobs')
    expect(body.jobs.find(({ kind }) => kind === 'fill')).toMatchObject({
      ...{ object: 'invoice', state: 'completed', total: 260, done: 260, changed: 260, failed: 0 },
    })
    const described = await ada<{ fields: { key: string; filling: boolean }[] }>(
      'GET',
      '/data/v3/invoice/describe',
    )
    expect(described.body.fields.filter(({ filling }) => filling)).toEqual([])
  })
})

describe('a stored formula whose field had entered values in the meantime', () => {
  it('is computed for all records again', async () => {
    const object = billing('0.2600')['object/invoice'] as { fields: object[] }
    const number = { type: 'number', precision: 12, scale: 2 }
    const withDouble = (more: object): Record<string, object> => ({
      'object/invoice': { ...object, fields: [...object.fields, { key: 'double', ...number, ...more }] },
    })
    const formula = { formula: { expression: 'net * 2', stored: true } }
    const add = async (more: object): Promise<Saved> =>
      (await ada<Saved>('POST', '/data/v3/invoice', { net: '1', tax_point: '2022-01-01', ...more })).body
    const doubleOf = async ({ id }: Saved): Promise<unknown> =>
      (await ada<Saved>('GET', `/data/v3/invoice/${id}`)).body.fields['double']
    await deploy(withDouble(formula))
    await apply(test.studio, [clerk({ ...billing(), ...withDouble(formula) })])
    const first = await add({ number: 'computed' })
    expect(await doubleOf(first)).toBe('2.00')
    await deploy(withDouble({}), { breaking: true })
    const saved = await add({ number: 'entered', double: '888888' })
    expect(await doubleOf(saved)).toBe('888888.00')
    await deploy(withDouble(formula), { breaking: true })
    await expect.poll(() => doubleOf(saved), { timeout: 10_000 }).toBe('2.00')
    await ada('DELETE', `/data/v3/invoice/${first.id}`, undefined, { 'if-match': '*' })
    const { status } = await ada('DELETE', `/data/v3/invoice/${saved.id}`, undefined, { 'if-match': '*' })
    expect(status).toBe(204)
  })
})

describe('a rebind of values that are bound to old generations', () => {
  it('takes only their records, and frees the generations for a purge', async () => {
    const { body: added } = await ada<Saved>('POST', '/data/v3/invoice', {
      ...{ number: 'new', net: '1', tax_point: '2022-01-01' },
    })
    const { body } = await ada<{ active: number }>('GET', '/metadata/v3/generations')
    const before = body.active
    const purge = (ask = ada) => ask('POST', '/setup/v3/purge', { before })
    const refused = await purge()
    expect([refused.status, refused.body['code']]).toEqual([409, 'deploy.history_bound'])
    const way = `Rebind or archive the records of each object that are bound to a generation before ${before} first.`
    expect(refused.body['detail']).toContain(`: those of 260 records of invoice. ${way}`)
    expect(refused.body['details']).toMatchObject([{ object: 'invoice', records: 260 }])
    // The administrator has no permission on the object.
    const unseen = await purge(test.studio)
    expect(unseen.body['detail']).toContain(`: those of records of objects that you cannot read. ${way}`)
    expect(unseen.body['details']).toEqual([])
    const job = await run('rebind')
    expect(job).toMatchObject({ state: 'completed', total: 260, done: 260, failed: 0, boundBefore: before })
    expect(await run('rebind')).toMatchObject({ done: 0, changed: 0 })
    const { body: audit } = await test.studio<{ rows: object[] }>(
      'GET',
      '/metadata/v3/audit?kind=records.rebound',
    )
    const fact = {
      component: 'object/invoice',
      actor: 'ada',
      after: { boundBefore: before, filtered: false },
    }
    expect(audit.rows).toMatchObject([fact, fact])
    const record = await ada<Saved>('GET', `/data/v3/invoice/${added.id}`)
    expect(record.body.version).toBe(1)
    expect((await purge()).status).toBe(200)
    expect(await run('replay')).toMatchObject({ done: 261, changed: 0, failed: 0 })
  })
})
