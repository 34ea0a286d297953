// The impact on roll-ups and formulas that read changed formulas of other records is what a recompute of those gives.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { apply, signIn } from '../support/billing-org.ts'
import { runningServer, type Ask, type TestServer } from '../support/running-server.ts'

const number = { type: 'number', precision: 12, scale: 2 }
const objects: Record<string, object[]> = {
  region: [
    { key: 'name', type: 'text' },
    { key: 'tax', ...number, rollup: { child: 'order', via: 'region', op: 'sum', of: 'tax' } },
    // Over records that read a formula of this one.
    { key: 'share', ...number, formula: { expression: 'config.levy.rate * 100', stored: true } },
    { key: 'shares', ...number, rollup: { child: 'order', via: 'region', op: 'sum', of: 'share' } },
  ],
  order: [
    { key: 'region', type: 'reference', references: 'region' },
    { key: 'tax', ...number, rollup: { child: 'line', via: 'order', op: 'sum', of: 'tax' } },
    {
      ...{ key: 'dear', type: 'number', precision: 9, scale: 0 },
      rollup: { child: 'line', via: 'order', op: 'count', filter: 'tax > 2' },
    },
    { key: 'share', ...number, formula: { expression: 'region.share + 1', stored: true } },
    // Reads no computed field.
    { key: 'net', ...number, rollup: { child: 'line', via: 'order', op: 'sum', of: 'net' } },
  ],
  line: [
    { key: 'order', type: 'reference', references: 'order' },
    { key: 'net', ...number },
    { key: 'tax', ...number, formula: { expression: 'net * config.levy.rate', stored: true } },
  ],
  note: [
    { key: 'line', type: 'reference', references: 'line' },
    { key: 'taxes', ...number, formula: { expression: 'line.tax + line.order.region.tax', stored: true } },
    // Reads no computed field.
    { key: 'copy', ...number, formula: { expression: 'line.net', stored: true } },
  ],
  remark: [
    { key: 'note', type: 'reference', references: 'note' },
    { key: 'more', ...number, formula: { expression: 'note.taxes + 1', stored: true } },
  ],
  // Parcels are those of the depot that a formula names.
  depot: [
    { key: 'name', type: 'text' },
    {
      ...{ key: 'parcels', type: 'number', precision: 9, scale: 0 },
      rollup: { child: 'parcel', via: 'depot', op: 'count' },
    },
    { key: 'weight', ...number, rollup: { child: 'parcel', via: 'depot', op: 'sum', of: 'weight' } },
  ],
  parcel: [
    { key: 'near', type: 'reference', references: 'depot' },
    { key: 'far', type: 'reference', references: 'depot' },
    { key: 'weight', ...number },
    {
      ...{ key: 'depot', type: 'reference', references: 'depot' },
      formula: { expression: 'config.route.far > 0 ? far : near', stored: true },
    },
  ],
  label: [
    { key: 'parcel', type: 'reference', references: 'parcel' },
    { key: 'depot', type: 'text', formula: { expression: 'parcel.depot.name', stored: true } },
  ],
}
const grants = {
  read: { clerk: 'read', administrator: 'read' },
  edit: { clerk: 'edit', administrator: 'edit' },
}
const levy = {
  ...{ type: 'config_set', key: 'levy', label: 'Levy' },
  body: {
    ...{ cardinality: 'singleton', ...grants },
    fields: [{ key: 'rate', type: 'number', precision: 6, scale: 4, required: true }],
  },
}
const rate = (value: string): object => ({
  ...{ type: 'config_entry', key: 'levy.only', label: 'Levy' },
  body: { set: 'levy', scope: { kind: 'org' }, values: { rate: value } },
})
const route = {
  ...{ type: 'config_set', key: 'route', label: 'Route' },
  body: {
    ...{ cardinality: 'singleton', ...grants },
    fields: [{ key: 'far', type: 'number', precision: 1, scale: 0, required: true }],
  },
}
/** Read by administrators alone. */
const secret = {
  ...{ ...route, key: 'secret' },
  body: { ...route.body, read: { administrator: 'read' }, edit: { administrator: 'edit' } },
}
const hiddenFar = {
  ...{ type: 'config_entry', key: 'secret.only', label: 'Secret' },
  body: { set: 'secret', scope: { kind: 'org' }, values: { far: '1' } },
}
const far = (value: string): object => ({
  ...{ type: 'config_entry', key: 'route.only', label: 'Route' },
  body: { set: 'route', scope: { kind: 'org' }, values: { far: value } },
})

let test: TestServer
let ada: Ask
beforeAll(async () => {
  test = await runningServer()
  const rights = { create: true, read: true, update: true, viewAll: true, modifyAll: true }
  const clerk = {
    ...{ type: 'permission_set', key: 'clerk', label: 'Clerk' },
    body: {
      systemPermissions: ['config.author', 'operations.manage'],
      objects: Object.fromEntries(Object.keys(objects).map((key) => [key, rights])),
      fields: Object.fromEntries(
        Object.entries(objects).flatMap(([object, fields]) =>
          (fields as { key: string; formula?: object; rollup?: object }[]).map(({ key, formula, rollup }) => [
            `${object}.${key}`,
            { read: true, edit: formula === undefined && rollup === undefined },
          ]),
        ),
      ),
    },
  }
  const declared = Object.entries(objects).map(([key, fields]) => ({
    ...{ type: 'object', key, label: key, body: { storage: 'local', fields } },
  }))
  await apply(test.studio, [clerk, levy, rate('0.1000'), route, far('0'), secret, hiddenFar, ...declared])
  ;({ ada } = (await signIn(test, [{ key: 'ada', permissionSets: ['clerk'] }])) as { ada: Ask })
  const add = async (object: string, fields: object): Promise<string> => {
    const { body } = await ada<{ id: string }>('POST', `/data/v3/${object}`, fields)
    return body.id
  }
  const region = await add('region', { name: 'North' })
  const orders = [await add('order', { region }), await add('order', { region }), await add('order', {})]
  const lines: string[] = []
  for (const [at, net] of ['10', '30', '0', '15'].entries())
    lines.push(await add('line', { order: orders[at % 2], net }))
  await add('remark', { note: await add('note', { line: lines[0] }) })
  const [a, b, c] = [
    await add('depot', { name: 'A' }),
    await add('depot', { name: 'B' }),
    await add('depot', { name: 'C' }),
  ]
  await add('label', { parcel: await add('parcel', { near: a, far: b, weight: '1' }) })
  await add('parcel', { near: a, far: a, weight: '2' })
  await add('parcel', { near: b, weight: '4' })
  await add('parcel', { near: b, far: c, weight: '8' })
})
afterAll(() => test.close())

interface Impact {
  fields: { object: string; field: string; changed: number; items: { now: unknown; after: unknown }[] }[]
  looked: number
  total: number
}
const impactOf = async (limit: number, components = [rate('0.2000')]): Promise<Impact> => {
  const { status, body, text } = await ada<Impact>('POST', '/metadata/v3/impact/records', {
    components,
    limit,
  })
  expect([status, text]).toEqual([200, expect.anything()])
  return body
}
const stored = async (object: string, field: string): Promise<unknown[]> => {
  const query = { object, fields: [field], limit: 100 }
  const { body } = await ada<{ records: { fields: Record<string, unknown> }[] }>(
    'POST',
    '/data/v3/query',
    query,
  )
  return body.records.map(({ fields }) => fields[field])
}

const withFields = (object: string, fields: object[]): object => ({
  ...{ type: 'object', key: object, label: object, body: { storage: 'local', fields } },
})

it('compares only records whose stored values read what changes', async () => {
  const memo = withFields('order', [...objects['order']!, { key: 'memo', type: 'text' }])
  expect(await impactOf(100, [memo])).toMatchObject({ fields: [], looked: 0, total: 0 })
  const [line, taxes] = objects['note']!
  const doubled = { key: 'copy', ...number, formula: { expression: 'line.net * 2', stored: true } }
  const { fields, ...counts } = await impactOf(100, [withFields('note', [line!, taxes!, doubled])])
  expect(counts).toMatchObject({ looked: 1, total: 1 })
  expect(fields).toMatchObject([{ object: 'note', field: 'copy', changed: 1 }])
  // Through formulas, roll-ups and references, but not to the formulas and roll-ups that read none of them.
  const scale = { ...number, scale: 4 }
  const finer = objects['line']!.map((field) =>
    (field as { key: string }).key === 'net' ? { key: 'net', ...scale } : field,
  )
  expect(await impactOf(100, [withFields('line', finer)])).toMatchObject({ looked: 10, total: 10 })
})

it('is counted, level by level, and a recompute of the children stores it', async () => {
  const impact = await impactOf(100)
  expect(impact).toMatchObject({ looked: 10, total: 10 })
  const found = impact.fields.map(({ object, field, changed, items }) => [
    ...[`${object}.${field}`, changed],
    items.map(({ now, after }) => `${String(now)} ${String(after)}`),
  ])
  expect(found).toEqual([
    ['line.tax', 3, ['1.00 2.00', '3.00 6.00', '1.50 3.00']],
    ['note.taxes', 1, ['6.50 13.00']],
    ['order.tax', 2, ['1.00 2.00', '4.50 9.00']],
    ['order.share', 2, ['11.00 21.00', '11.00 21.00']],
    ['order.dear', 1, ['1 2']],
    ['region.tax', 1, ['5.50 11.00']],
    ['region.share', 1, ['10.00 20.00']],
    ['region.shares', 1, ['22.00 42.00']],
    ['remark.more', 1, ['7.50 14.00']],
  ])

  await apply(test.studio, [rate('0.2000')])
  for (const object of ['line', 'region']) {
    const { body } = await ada<{ id: string }>('POST', '/setup/v3/jobs', { kind: 'recompute', object })
    await expect
      .poll(async () => (await ada<{ state: string }>('GET', `/setup/v3/jobs/${body.id}`)).body.state)
      .toBe('completed')
  }
  expect(await stored('order', 'tax')).toEqual(['2.00', '9.00', null])
  expect(await stored('order', 'dear')).toEqual(['0', '2', '0'])
  expect(await stored('region', 'tax')).toEqual(['11.00'])
  expect(await stored('region', 'shares')).toEqual(['42.00'])
  expect(await stored('note', 'taxes')).toEqual(['13.00'])
  expect(await stored('remark', 'more')).toEqual(['14.00'])
})

it('is not compared if values that the caller cannot see decide which children move', async () => {
  const [near, distant, weight] = objects['parcel']!
  const depot = {
    ...{ key: 'depot', type: 'reference', references: 'depot' },
    formula: { expression: 'config.secret.far > 0 && weight > 5 ? far : near', stored: true },
  }
  const list = [withFields('parcel', [near!, distant!, weight!, depot])]
  expect(await impactOf(100, list)).toMatchObject({ fields: [], looked: 8, hidden: 8, unfollowed: 0 })
})

it('follows a reference that moves in a record that is read', async () => {
  const { fields } = await impactOf(100, [far('1')])
  expect(fields.find(({ object }) => object === 'label')).toMatchObject({
    ...{ field: 'depot', changed: 1 },
    items: [{ now: 'A', after: 'B' }],
  })
})

it('has the children that a computed reference moves, and not those that leave', async () => {
  const parts: Impact[] = []
  let after: string | null = null
  do {
    const list: object = { components: [far('1')], look: 1, ...(after === null ? {} : { after }) }
    const { body } = await ada<Impact & { next: string | null }>('POST', '/metadata/v3/impact/records', list)
    expect(body).toMatchObject({ total: 8, hidden: 0, unfollowed: 0 })
    parts.push(body)
    after = body.next
  } while (after !== null)
  expect(parts.reduce((sum, { looked }) => sum + looked, 0)).toBe(8)
  const found = parts.flatMap(({ fields }) =>
    fields
      .filter(({ object }) => object === 'depot')
      .flatMap(({ field, items }) =>
        items.map(({ now, after: then }) => `${field} ${String(now)} ${String(then)}`),
      ),
  )
  expect(found).toEqual([
    ...['parcels 2 1', 'weight 3.00 2.00'],
    ...['parcels 2 1', 'weight 12.00 1.00'],
    ...['parcels 0 1', 'weight null 8.00'],
  ])

  await apply(test.studio, [far('1')])
  const { body } = await ada<{ id: string }>('POST', '/setup/v3/jobs', {
    kind: 'recompute',
    object: 'parcel',
  })
  await expect
    .poll(async () => (await ada<{ state: string }>('GET', `/setup/v3/jobs/${body.id}`)).body.state)
    .toBe('completed')
  expect(await stored('depot', 'parcels')).toEqual(['1', '1', '1'])
  expect(await stored('depot', 'weight')).toEqual(['2.00', '1.00', '8.00'])
})
