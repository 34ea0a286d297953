// Layouts of objects, and apps: what a caller cannot read is left out, as in the data API.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apply, billingComponents, clerk, signIn } from '../support/billing-org.ts'
import { runningServer, type Ask, type TestServer } from '../support/running-server.ts'

let test: TestServer
let ada: Ask
let eve: Ask
let nobody: Ask

const field = (key: string) => ({ id: key, type: 'field', key })
const element = (id: string, key: string, inputs: object) => ({ id, type: 'component', key, inputs })
const section = (id: string, ...items: object[]) => ({ id, section: id, items })

const lines = {
  ...{ type: 'list_view', key: 'lines', label: 'Lines' },
  body: { object: 'line', columns: ['weight'] },
}
const layout = (key: string, ...sections: object[]) => ({
  ...{ type: 'layout', key, label: key },
  body: { object: 'invoice', sections },
})
const layouts = [
  layout(
    'b_page',
    section('main', field('number'), field('total'), field('customer.name'), field('customer.country')),
    section('who', element('customer', 'lookup_field', { label: 'Who' })),
    section('rows', element('rows', 'list_view', { listView: 'lines', via: 'invoice' })),
    section('fixed', element('other', 'lookup_field', { display: 'Ada' })),
  ),
  layout('a_page', section('amounts', field('total'))),
]
const app = (key: string, body: object) => ({ type: 'app', key, label: `App ${key}`, body })
const step = (key: string, ...items: object[]) => ({ key, label: key, sections: [section('s', ...items)] })
const apps = [
  app('empty', { order: 30 }),
  app('billing', {
    ...{ label: 'Billing desk', order: 20, objects: ['line', 'invoice'] },
    pages: [
      {
        ...{ key: 'start', label: 'Start' },
        sections: [
          section('find', element('who', 'lookup_field', { object: 'customer' })),
          section('rows', element('rows', 'list_view', { listView: 'lines' })),
        ],
      },
    ],
    flows: [
      {
        ...{ key: 'add', label: 'Add', object: 'invoice' },
        steps: [step('one', field('number'), field('net')), step('two', field('tax_point'), field('net'))],
      },
    ],
  }),
  app('back', { order: 10, objects: ['line'] }),
]

const quote = {
  ...{ type: 'automation', key: 'quote', label: 'Quote' },
  body: {
    ...{ phase: 'invocable', grantedTo: ['clerk'], params: [{ key: 'name', type: 'text' }], actions: [] },
    returns: { net: '12' },
  },
}
const invoke = { operation: 'quote', args: { name: 'number' }, into: { net: 'net' } }
const quoting = app('quoting', {
  flows: [
    {
      ...{ key: 'add', label: 'Add', object: 'invoice' },
      steps: [{ ...step('one', field('number')), invoke }, step('two', field('net'))],
    },
  ],
})

beforeAll(async () => {
  test = await runningServer()
  const reader = {
    ...{ type: 'permission_set', key: 'reader', label: 'Reader' },
    body: {
      objects: { invoice: { read: true, create: true, viewAll: true }, customer: { read: true } },
      fields: {
        'invoice.number': { read: true, edit: true },
        'invoice.customer': { read: true },
        'customer.name': { read: true },
      },
    },
  }
  await apply(test.studio, [...billingComponents(), clerk(), reader, lines, ...layouts, ...apps])
  const users = [
    { key: 'ada', permissionSets: ['clerk'] },
    { key: 'eve', permissionSets: ['reader'] },
    { key: 'nobody', permissionSets: [] },
  ]
  ;({ ada, eve, nobody } = (await signIn(test, users)) as { ada: Ask; eve: Ask; nobody: Ask })
})
afterAll(() => test.close())

interface Page {
  key: string
  sections: { id: string; items: { key: string; inputs: object; list?: object }[] }[]
}
const short = (pages: Page[]): Record<string, string[]> =>
  Object.fromEntries(
    pages.map(({ key, sections }) => [
      key,
      sections.map(({ id, items }) => `${id}: ${items.map((item) => item.key).join(' ')}`),
    ]),
  )
const layoutsOf = async (ask: Ask): Promise<Page[]> =>
  (await ask<{ layouts: Page[] }>('GET', '/data/v3/invoice/describe')).body.layouts

describe('the layouts of an object', () => {
  it('are listed by key, with their lists and the references of lookup fields', async () => {
    const found = await layoutsOf(ada)
    expect(Object.entries(short(found))).toEqual([
      ['a_page', ['amounts: total']],
      [
        'b_page',
        [
          'main: number total customer.name customer.country',
          'who: lookup_field',
          'rows: list_view',
          'fixed: lookup_field',
        ],
      ],
    ])
    const [, who, rows, fixed] = found[1]!.sections.map(({ items }) => items[0]!)
    expect(who!.inputs).toEqual({ label: 'Who', field: 'customer' })
    expect(fixed!.inputs).toEqual({ display: 'Ada' })
    expect(rows).toMatchObject({
      inputs: { listView: 'lines', via: 'invoice' },
      list: { key: 'lines', object: 'line', columns: ['weight'], filter: null },
    })
  })

  it('contain no item, section or layout that the caller cannot read', async () => {
    expect(short(await layoutsOf(eve))).toEqual({
      b_page: ['main: number customer.name', 'who: lookup_field', 'fixed: lookup_field'],
    })
  })
})

describe('apps', () => {
  const keys = async (ask: Ask): Promise<string[]> =>
    (await ask<{ apps: { key: string }[] }>('GET', '/setup/v3/apps')).body.apps.map(({ key }) => key)

  it('are listed in their order, and only if the caller can see something of them', async () => {
    expect(await keys(ada)).toEqual(['back', 'billing', 'empty'])
    expect(await keys(eve)).toEqual(['billing', 'empty'])
    expect(await keys(nobody)).toEqual(['empty'])
    const { status, body } = await eve('GET', '/setup/v3/apps/back')
    expect([status, body['code']]).toEqual([404, 'app.not_found'])
    const unknown = await eve('GET', '/setup/v3/apps/biling')
    expect(unknown.body['detail']).toBe('The app "biling" does not exist. Did you mean "billing"?')
  })

  it('contain objects, pages and flows, without what the caller cannot read', async () => {
    interface App {
      label: string
      objects: { key: string }[]
      pages: Page[]
      flows: { key: string; object: string; steps: Page[] }[]
    }
    const whole = (await ada<App>('GET', '/setup/v3/apps/billing')).body
    expect(whole.label).toBe('Billing desk')
    expect(whole.objects.map(({ key }) => key)).toEqual(['line', 'invoice'])
    expect(short(whole.pages)).toEqual({ start: ['find: lookup_field', 'rows: list_view'] })
    expect(whole.flows.map(({ object, steps }) => [object, short(steps)])).toEqual([
      ['invoice', { one: ['s: number net'], two: ['s: tax_point net'] }],
    ])
    const part = (await eve<App>('GET', '/setup/v3/apps/billing')).body
    expect(part.objects.map(({ key }) => key)).toEqual(['invoice'])
    expect(short(part.pages)).toEqual({ start: ['find: lookup_field'] })
    expect(part.flows.map(({ steps }) => short(steps))).toEqual([{ one: ['s: number'] }])
  })

  it('contain the call of a step, and no flow with an operation that the caller cannot call', async () => {
    await apply(test.studio, [quote, quoting])
    const stepsFor = async (ask: Ask): Promise<unknown> =>
      (
        await ask<{ flows?: { steps: { invoke?: object }[] }[] }>('GET', '/setup/v3/apps/quoting')
      ).body.flows?.map(({ steps }) => steps.map((each) => each.invoke))
    expect(await stepsFor(ada)).toEqual([[{ ...invoke, asOf: null }, undefined]])
    // Nothing of the app is left.
    expect(await stepsFor(eve)).toBeUndefined()
  })
})
