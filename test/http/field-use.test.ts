// Which fields registered clients use, under which names, and the deploys that would take one of them away.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { billing } from '../../server/kernel/records/fixture.ts'
import { apply, billingComponents, clerk, signIn } from '../support/billing-org.ts'
import { runningServer, type Ask, type TestServer } from '../support/running-server.ts'

interface Use {
  object: string | null
  field: string | null
  name: string
  at: string
}
type Fields = { key: string; aliases?: string[] }[]

/** With fields that have no values: a removal would otherwise be refused for another reason. */
const bodies = (change: (fields: Fields) => Fields = (fields) => fields): Record<string, object> => {
  const all = billing()
  const customer = all['object/customer'] as { fields: Fields }
  const text = { type: 'text' }
  const added = [
    { key: 'phone', ...text },
    { key: 'fax', ...text },
    { key: 'pager', ...text },
    { key: 'telex', ...text },
    { key: 'web', ...text, aliases: ['site'] },
    { key: 'code', ...text, unique: true },
  ]
  return { ...all, 'object/customer': { ...customer, fields: change([...customer.fields, ...added]) } }
}

let test: TestServer
let ada: Ask
let bo: Ask
beforeAll(async () => {
  test = await runningServer()
  await apply(test.studio, [...billingComponents(bodies() as never), clerk(bodies() as never)])
  const users = ['ada', 'bo'].map((key) => ({ key, permissionSets: ['clerk'] }))
  ;({ ada, bo } = (await signIn(test, users)) as { ada: Ask; bo: Ask })
  const window = { authScheme: 'api_key', runAs: 'bo', deprecationWindowDays: 0 }
  await apply(test.studio, [{ type: 'integration_client', key: 'bo', label: 'bo', body: window }])
})
afterAll(() => test.close())

async function usesOf(client: string): Promise<Use[]> {
  const { body } = await test.studio<{ uses: Use[] }>('GET', `/setup/v3/clients/${client}/uses`)
  return body.uses
}
/** Uses are written once a second. */
async function untilUsed(client: string, ...names: string[]): Promise<Use[]> {
  for (;;) {
    const uses = await usesOf(client)
    if (names.every((name) => uses.some((use) => use.name === name))) return uses
    await new Promise((done) => setTimeout(done, 50))
  }
}
interface Planned {
  findings: { code: string; severity: string; message: string; component: string }[]
}
const customerWithout = (key: string, more: object = {}): object => {
  const body = bodies((fields) => fields.filter((field) => field.key !== key))['object/customer']
  return { type: 'object', key: 'customer', label: 'customer', body, ...more }
}
const clerkWithoutPhone = clerk(bodies((fields) => fields.filter(({ key }) => key !== 'phone')) as never)
const inUse = async (component: object): Promise<string[]> => {
  const { body } = await test.studio<Planned>('POST', '/metadata/v3/plan', { components: [component] })
  return body.findings
    .filter(({ code }) => code === 'deploy.field_in_use')
    .map(({ severity, message }) => `${severity}: ${message}`)
}

describe('the uses of a client', () => {
  it('are the names that it reads, filters, orders by and writes, with the objects themselves and the last use', async () => {
    await ada('POST', '/data/v3/query', {
      ...{ object: 'invoice', fields: ['number', 'customer.phone'] },
      ...{ filter: 'net > 1', orderBy: [{ field: 'tax_point' }] },
    })
    await ada('POST', '/data/v3/customer', { name: 'Ada', country: 'DE', site: null })
    const uses = await untilUsed('ada', 'number', 'site')
    expect(uses.map(({ object, field, name }) => `${object}.${field} as ${name}`).sort()).toEqual([
      'customer.country as country',
      'customer.name as name',
      'customer.null as customer',
      'customer.phone as phone',
      'customer.web as site',
      'invoice.customer as customer',
      'invoice.net as net',
      'invoice.null as invoice',
      'invoice.number as number',
      'invoice.tax_point as tax_point',
    ])
    expect(uses[0]!.at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:00\.000Z$/)
  })

  it('are every readable field after a full read, and nothing of people', async () => {
    const { body } = await bo<{ id: string }>('POST', '/data/v3/customer', { name: 'Bo', country: 'DE' })
    await bo('GET', `/data/v3/customer/${body.id}`)
    const uses = await untilUsed('bo', 'fax')
    expect(uses.map(({ name }) => name)).toEqual(expect.arrayContaining(['name', 'phone', 'web', 'label']))
    expect(uses.map(({ name }) => name)).not.toContain('site')
    const { status, body: refused } = await bo('GET', '/setup/v3/clients/bo/uses')
    expect([status, refused['code']]).toEqual([403, 'access.denied'])
  })
})

it('the unique field by which a write names the record of a reference is used', async () => {
  await bo('POST', '/data/v3/customer', { name: 'Cy', country: 'DE', code: 'C-7' })
  const fields = { number: 'I-7', customer: { code: 'C-7' }, tax_point: '2022-01-01', net: '1' }
  const { status } = await ada('POST', '/data/v3/invoice', fields)
  expect(status).toBe(201)
  const uses = await untilUsed('ada', 'code')
  expect(uses.find(({ name }) => name === 'code')).toMatchObject({ object: 'customer', field: 'code' })
})

describe('a deploy that removes', () => {
  it('a field that a client has used is refused, naming the client and its last use', async () => {
    const [found] = await inUse(customerWithout('phone'))
    expect(found).toMatch(
      /^error: customer\.phone was last used by ada on \d{4}-\d\d-\d\d \d\d:\d\d \(UTC\)\.$/,
    )
    const refused = await test.studio('POST', '/metadata/v3/apply', {
      ...{ components: [customerWithout('phone'), clerkWithoutPhone], rationale: 'No phones' },
    })
    expect([refused.status, refused.body['code']]).toEqual([409, 'deploy.field_in_use'])
  })

  it('an alias is judged by the uses of the alias', async () => {
    const without = bodies((fields) => fields.map((field) => ({ ...field, aliases: [] })))['object/customer']
    const component = { type: 'object', key: 'customer', label: 'customer', body: without }
    expect(await inUse(component)).toEqual([
      expect.stringMatching(/^error: customer\.site was last used by ada/),
    ])
  })

  it('a field outside the window of its clients, or without uses, is applied', async () => {
    // Only bo has used it, whose window is empty.
    expect(await inUse(customerWithout('fax'))).toEqual([])
  })

  // A long list is applied in another thread than a short one.
  it.each([
    ['pager', 'a short list', 1],
    ['telex', 'a long list', 4000],
  ])('%s right after its first use is refused in %s', async (field, _, values) => {
    const without = clerk(bodies((fields) => fields.filter(({ key }) => key !== field)) as never)
    const codes = {
      ...{ type: 'value_set', key: 'codes', label: 'Codes' },
      body: {
        values: Array.from({ length: values }, (_, at) => ({
          key: `c${at}`,
          label: `Code ${at}`,
          active: true,
        })),
      },
    }
    const list = { components: [customerWithout(field), without, codes] }
    // The thread has started, so that the apply takes less than the interval in which uses are written.
    expect((await test.studio('POST', '/metadata/v3/plan', list)).body['findings']).toEqual([])
    const saved = await ada('POST', '/data/v3/customer', { name: 'Eva', country: 'DE', [field]: null })
    const refused = await test.studio('POST', '/metadata/v3/apply', list)
    expect([saved.status, refused.status, refused.body['code']]).toEqual([201, 409, 'deploy.field_in_use'])
  })

  it('a field in use is applied if it is confirmed', async () => {
    const confirmed = customerWithout('phone', { breaking: true })
    expect(await inUse(confirmed)).toEqual([expect.stringMatching(/^warning: customer\.phone/)])
    await apply(test.studio, [confirmed, clerkWithoutPhone])
    const [phone] = (await usesOf('ada')).filter(({ name }) => name === 'phone')
    expect(phone).toMatchObject({ object: 'customer', field: null })
  })

  it('other fields later is not asked about names that are gone', async () => {
    const without = (...keys: string[]): object => {
      const { 'object/customer': body } = bodies((fields) => fields.filter(({ key }) => !keys.includes(key)))
      return { type: 'object', key: 'customer', label: 'Customer', body }
    }
    expect(await inUse(without('phone', 'fax'))).toEqual([])
    // A field in use beside them is found as before.
    expect(await inUse(without('phone', 'web'))).toEqual([expect.stringMatching(/^error: customer\.site/)])
  })
})

it('a renamed field keeps the rights of permission sets that name it by its former name', async () => {
  const renamed = bodies((fields) =>
    fields.map((field) =>
      field.key === 'web' ? { ...field, key: 'page', aliases: ['web', 'site'] } : field,
    ),
  )['object/customer']
  const { body } = await ada<{ id: string }>('POST', '/data/v3/customer', {
    name: 'Di',
    country: 'DE',
    web: 'di.example',
  })
  await apply(test.studio, [{ type: 'object', key: 'customer', label: 'customer', body: renamed } as never])
  const read = async (fields: string): Promise<unknown> =>
    (await ada<{ fields: object }>('GET', `/data/v3/customer/${body.id}?fields=${fields}`)).body.fields
  expect(await read('page,web')).toEqual({ page: 'di.example', web: 'di.example' })
  const records = [{ op: 'update', id: body.id, fields: { web: 'new.example' } }]
  const saved = await ada('POST', '/data/v3/customer/batch', { records })
  expect(saved.body['results']).toMatchObject([{ status: 200 }])
  expect(await read('page')).toEqual({ page: 'new.example' })
})
