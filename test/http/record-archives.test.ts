// Archived values of records: their evidence is kept, their generations can be purged, and they stay as they are.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { verifyBundle } from '../../server/kernel/evidence/index.ts'
import { billing, type Bodies } from '../../server/kernel/records/fixture.ts'
import { fieldsOf } from '../records/bodies.ts'
import { apply, billingComponents, clerk, signIn } from '../support/billing-org.ts'
import { runningServer, type Ask, type TestServer } from '../support/running-server.ts'

interface Saved {
  id: string
  version: number
  fields: Record<string, unknown>
}
interface Archived {
  archive: string
  evidence: string
}
interface Explained {
  value: unknown
  archived: object | null
  bound: { binding: { generation: number }; identical: boolean } | null
}

/** Without roll-ups, which have no evidence. */
function formulas(rate?: string): Bodies {
  const bodies = billing(rate)
  const fields = fieldsOf(bodies, 'invoice').filter(({ rollup }) => rollup === undefined)
  const invoice = bodies['object/invoice'] as { validationRules: { when: string }[] }
  const validationRules = invoice.validationRules.filter(({ when }) => !when.includes('weight'))
  return { ...bodies, 'object/invoice': { ...invoice, fields, validationRules } }
}

const operator = {
  ...{ type: 'permission_set', key: 'operator', label: 'Operator' },
  body: { systemPermissions: ['operations.manage'] },
}

let test: TestServer
let ada: Ask
let cid: Ask
let customer: string
let invoice: string
const at = (field: string, more = '/archive'): string => `/data/v3/invoice/${invoice}/values/${field}${more}`
const get = async (id = invoice): Promise<Saved> => (await ada<Saved>('GET', `/data/v3/invoice/${id}`)).body
const update = (fields: object, id = invoice): ReturnType<Ask> =>
  ada('PATCH', `/data/v3/invoice/${id}`, fields, { 'if-match': '*' })
const purge = (before: number): ReturnType<Ask> => test.studio('POST', '/setup/v3/purge', { before })
const add = async (number: string): Promise<string> =>
  (await ada<Saved>('POST', '/data/v3/invoice', { number, customer, tax_point: '2022-01-01', net: '100' }))
    .body.id

beforeAll(async () => {
  test = await runningServer()
  await apply(test.studio, [...billingComponents(formulas()), clerk(formulas()), operator])
  const users = [
    { key: 'ada', permissionSets: ['clerk', 'operator', 'administrator'] },
    { key: 'cid', permissionSets: ['clerk'] },
  ]
  ;({ ada, cid } = (await signIn(test, users)) as { ada: Ask; cid: Ask })
  customer = (await ada<Saved>('POST', '/data/v3/customer', { name: 'Ada', country: 'DE' })).body.id
  invoice = await add('A-1')
  await apply(test.studio, billingComponents(formulas('0.2500')))
})
afterAll(() => test.close())

describe('the archive of a value', () => {
  const bundles: Record<string, string> = {}

  it('returns its evidence, and lets its generation be purged', async () => {
    const active = await test.beside(async ({ org }) => org.activeGeneration())
    expect(await purge(active)).toMatchObject({ status: 409, body: { code: 'deploy.history_bound' } })
    for (const field of ['tax', 'total', 'buyer']) {
      const archived = await ada<Archived>('POST', at(field))
      expect([archived.status, archived.text]).toEqual([200, expect.anything()])
      bundles[field] = archived.body.evidence
      // A reply can be lost.
      expect((await ada<Archived>('POST', at(field))).body).toEqual(archived.body)
    }
    expect(await purge(active)).toMatchObject({ status: 200, body: { generations: active - 1 } })
    expect(verifyBundle(bundles['tax']!)).toMatchObject({ ok: true, value: '"19"' })
    expect(verifyBundle(bundles['buyer']!)).toMatchObject({ ok: true, value: '"Ada (DE)"' })
    const audit = await test.studio<{ rows: object[] }>('GET', '/metadata/v3/audit?kind=records.archived')
    expect(audit.body.rows).toHaveLength(3)
  })

  it('needs the right to rebind, and is refused for what has no evidence', async () => {
    expect(await cid('POST', at('tax'))).toMatchObject({ status: 403, body: { code: 'access.denied' } })
    for (const field of ['net', 'half'])
      expect(await ada('POST', at(field))).toMatchObject({ status: 422, body: { code: 'request.invalid' } })
  })

  it('freezes the value: saves, deploys and changed records leave it as it is', async () => {
    expect((await update({ reminder: '5', number: 'A-1b' })).status).toBe(200)
    await ada('PATCH', `/data/v3/customer/${customer}`, { name: 'Bob', country: 'AT' }, { 'if-match': '*' })
    await apply(test.studio, billingComponents(formulas('0.3000')))
    expect((await get()).fields).toMatchObject({
      ...{ number: 'A-1b', reminder: '5.00', tax: '19.00', total: '119.00', buyer: 'Ada (DE)' },
    })
    const { body } = await ada<Explained>('GET', at('tax', ''))
    expect(body).toMatchObject({
      ...{ value: '19.00', bound: null },
      archived: { by: 'ada', generation: expect.any(Number), asOf: '2022-01-01' },
    })
    const evidence = await ada('GET', at('tax', '/evidence'))
    expect(evidence).toMatchObject({ status: 404, body: { code: 'generation.not_found' } })
  })

  it('refuses a change of what it was computed from, and names the ways out', async () => {
    const refused = await update({ net: '200' })
    expect(refused).toMatchObject({ status: 409, body: { code: 'record.archived' } })
    expect(refused.text).toContain('invoice.net cannot be changed')
    expect(refused.text).toContain('tax_point')
    expect(await update({ customer: null })).toMatchObject({ status: 409 })
    expect((await get()).fields).toMatchObject({ net: '100.00', tax: '19.00' })
  })

  it('ends with a new as-of date or a recompute, which compute the value again', async () => {
    expect((await update({ tax_point: '2022-01-02', net: '200' })).status).toBe(200)
    expect((await get()).fields).toMatchObject({ tax: '40.00', total: '240.00', buyer: 'Ada (DE)' })
    expect((await ada<Explained>('GET', at('tax', ''))).body).toMatchObject({
      ...{ archived: null, bound: { identical: true } },
    })
    expect((await ada('POST', at('tax'))).status).toBe(200)
    expect((await update({ net: '300' })).status).toBe(409)
    await ada('POST', `/data/v3/invoice/${invoice}/recompute`, undefined, { 'if-match': '*' })
    expect((await get()).fields).toMatchObject({ tax: '40.00', buyer: 'Bob (AT)' })
    expect((await update({ net: '300' })).status).toBe(200)
    expect((await get()).fields).toMatchObject({ tax: '60.00', total: '360.00' })
  })
})

describe('the history of a record', () => {
  interface Change {
    version: number
    fields: { field: string; before: unknown; after: unknown }[]
    bindings: object[]
  }
  const historyOf = async (ask: Ask, id: string): Promise<Change[]> =>
    (await ask<{ changes: Change[] }>('GET', `/data/v3/invoice/${id}/history`)).body.changes
  const active = (): Promise<number> => test.beside(async ({ org }) => org.activeGeneration())

  it('names the values that were archived or bound differently, with both generations', async () => {
    const first = await active()
    const id = await add('H-1')
    await ada('POST', `/data/v3/invoice/${id}/values/tax/archive`)
    await apply(test.studio, billingComponents(formulas('0.3300')))
    const later = await active()
    await ada('POST', `/data/v3/invoice/${id}/recompute`, undefined, { 'if-match': '*' })
    const [recomputed, archived, added] = await historyOf(ada, id)
    expect(added!.bindings).toEqual([])
    expect(archived).toMatchObject({
      fields: [],
      bindings: [
        {
          field: 'tax',
          before: { generation: first, archived: false },
          after: { generation: first, archived: true },
        },
      ],
    })
    expect(recomputed!.bindings).toContainEqual({
      field: 'tax',
      before: { generation: first, archived: true },
      after: { generation: later, archived: false },
    })
    // A value that stays the same is bound to another generation too.
    expect(recomputed!.fields.map(({ field }) => field)).not.toContain('buyer')
    expect(recomputed!.bindings).toContainEqual({
      field: 'buyer',
      before: { generation: first, archived: false },
      after: { generation: later, archived: false },
    })
  })
})

interface Job {
  id: string
  state: string
  done: number
  changed: number
  failed: number
  failures: { record: string; message: string }[]
}

describe('an archive job', () => {
  const many = 130
  let job: Job
  let eve: Ask

  async function run(kind: string, more: object = {}, object = 'invoice'): Promise<Job> {
    const started = await ada<Job>('POST', '/setup/v3/jobs', { kind, object, ...more })
    expect([started.status, started.text]).toEqual([202, expect.anything()])
    for (let { body } = started; ; { body } = await ada<Job>('GET', `/setup/v3/jobs/${body.id}`)) {
      if (!['queued', 'processing'].includes(body.state)) return body
      await new Promise((done) => setTimeout(done, 20))
    }
  }
  const taxes = async (): Promise<unknown[]> => {
    const { body } = await ada<{ records: Saved[] }>('POST', '/data/v3/query', {
      ...{ object: 'invoice', fields: ['tax', 'total'], filter: 'number > "B-"', limit: 2000 },
    })
    return body.records.map(({ fields }) => fields)
  }

  beforeAll(async () => {
    await apply(test.studio, billingComponents(formulas('0.2500')))
    const german = { name: 'Eve', country: 'DE' }
    customer = (await ada<Saved>('POST', '/data/v3/customer', german)).body.id
    const records = Array.from({ length: many }, (_, index) => ({
      op: 'insert',
      fields: { number: `B-${index}`, customer, tax_point: '2022-01-01', net: String(index) },
    }))
    expect((await ada('POST', '/data/v3/invoice/batch', { records })).status).toBe(200)
    await apply(test.studio, billingComponents(formulas('0.4000')))
    ;({ eve } = (await signIn(test, [{ key: 'eve', permissionSets: ['clerk', 'operator'] }])) as { eve: Ask })
  })

  it('archives every value that is bound to an earlier generation, so that it can be purged', async () => {
    const before = await taxes()
    const active = await test.beside(async ({ org }) => org.activeGeneration())
    expect(await purge(active)).toMatchObject({ status: 409, body: { code: 'deploy.history_bound' } })
    job = await run('archive')
    expect(job).toMatchObject({ state: 'completed', failed: 0, failures: [] })
    expect(job.changed).toBeGreaterThanOrEqual(many)
    expect(await purge(active)).toMatchObject({ status: 200 })
    expect(await run('archive')).toMatchObject({ done: 0, changed: 0 })
    await ada('PATCH', `/data/v3/customer/${customer}`, { country: 'AT' }, { 'if-match': '*' })
    expect(await taxes()).toEqual(before)
    // Everything that is archived is left out, because its generation can be gone.
    expect(await run('replay')).toMatchObject({ state: 'completed', changed: 0, failed: 0 })
  })

  it('keeps a bundle of each value, which its creator exports and removes', async () => {
    const { body, text } = await ada<{ archives: { id: string; values: number; fields: string[] }[] }>(
      ...(['GET', '/setup/v3/archives'] as const),
    )
    expect(text).not.toContain('signature')
    const { values, fields } = body.archives.find(({ id }) => id === job.id)!
    expect(fields).toEqual(['buyer', 'tax', 'total'])
    const path = `/setup/v3/archives/${job.id}`
    const exported = await ada('GET', `${path}/evidence`)
    const lines = exported.text.trimEnd().split('\n')
    expect(lines).toHaveLength(values)
    expect(new Set(lines).size).toBe(values)
    expect(values).toBeGreaterThanOrEqual(3 * many)
    for (const line of lines.slice(0, 20)) expect(verifyBundle(`${line}\n`)).toMatchObject({ ok: true })
    const hidden = { status: 404, body: { code: 'record.archive_not_found' } }
    expect(await eve('GET', `${path}/evidence`)).toMatchObject(hidden)
    expect(await eve('DELETE', path)).toMatchObject(hidden)
    expect((await eve<{ archives: object[] }>('GET', '/setup/v3/archives')).body.archives).toEqual([])
    expect((await cid('GET', '/setup/v3/archives')).status).toBe(403)
    expect((await ada('DELETE', path)).status).toBe(204)
    expect(await ada('GET', `${path}/evidence`)).toMatchObject(hidden)
  })

  it('leaves what the user cannot prove, and roll-ups, which a rebind releases', async () => {
    const withRollUps = billing('0.5000')
    await apply(test.studio, [...billingComponents(withRollUps), clerk(withRollUps)])
    const values = { number: 'C-1', customer, tax_point: '2022-01-01', net: '10' }
    invoice = (await ada<Saved>('POST', '/data/v3/invoice', values)).body.id
    await apply(test.studio, billingComponents(billing('0.6000')))
    const only = { filter: 'number == "C-1"' }
    const archived = await run('archive', only)
    expect(archived).toMatchObject({ done: 1, changed: 1, failed: 1 })
    expect(archived.failures).toMatchObject([
      { record: invoice, message: expect.stringMatching(/lines, weight.*no evidence/) },
    ])
    expect(await run('rebind', { ...only, keepArchived: true })).toMatchObject({ done: 1, changed: 1 })
    const explain = async (field: string): Promise<Explained> =>
      (await ada<Explained>('GET', at(field, ''))).body
    const active = await test.beside(async ({ org }) => org.activeGeneration())
    expect(await explain('lines')).toMatchObject({ bound: { binding: { generation: active } } })
    expect(await explain('tax')).toMatchObject({ archived: { by: 'ada' } })
    expect(await run('rebind', only)).toMatchObject({ done: 1, changed: 1 })
    expect(await explain('tax')).toMatchObject({ archived: null })
  })
})
