// A change list that removes values of a value set, or makes them inactive, counts the records that have them.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { apply, signIn } from '../support/billing-org.ts'
import { runningServer, type Ask, type TestServer } from '../support/running-server.ts'

const level = (key: string, active = true): object => ({ key, label: key, active })
const levels = (values: readonly object[], key = 'level', more: object = {}): object => ({
  ...{ type: 'value_set', key, label: key, body: { values } },
  ...more,
})
const all = [level('low'), level('mid'), level('high'), level('none')]

const ticket = (valueSet = 'level', key = 'urgency', more: object = {}): object => ({
  ...{ type: 'object', key: 'ticket', label: 'Ticket' },
  body: {
    fields: [
      { key: 'title', type: 'text' },
      { key, label: 'Urgency', type: 'enum', valueSet, ...more },
      { key: 'copied', type: 'enum', valueSet, formula: { expression: key, stored: true } },
    ],
  },
})

let test: TestServer
let ada: Ask
beforeAll(async () => {
  test = await runningServer()
  const rights = { create: true, read: true, update: true, delete: true, viewAll: true, modifyAll: true }
  const edit = { read: true, edit: true }
  const fields = { 'ticket.title': edit, 'ticket.urgency': edit, 'ticket.copied': { read: true } }
  const body = { objects: { ticket: rights }, fields }
  await apply(test.studio, [
    ...[levels(all), ticket()],
    { type: 'permission_set', key: 'clerk', label: 'Clerk', body },
  ])
  ;({ ada } = (await signIn(test, [{ key: 'ada', permissionSets: ['clerk'] }])) as { ada: Ask })
  for (const urgency of ['low', 'mid', 'mid', null]) await ada('POST', '/data/v3/ticket', { urgency })
})
afterAll(() => test.close())

async function plan(...components: object[]): Promise<unknown[]> {
  const { body } = await test.studio('POST', '/metadata/v3/plan', { components })
  const findings = body['findings'] as Record<
    'severity' | 'code' | 'component' | 'path' | 'message',
    string
  >[]
  return findings.map(({ severity, code, component, path, message }) => [
    `${severity} ${code} ${component}${path}`,
    message,
  ])
}

const retired = 'warning object.values_retired'
const inactive = (records: string, member: string): string =>
  `${records} of ticket ${records.startsWith('1 ') ? 'has' : 'have'} the value "${member}" in Urgency. It can no longer be chosen; records that have it keep it.`
const removed = (records: string, member: string): string =>
  `${records} of ticket ${records.startsWith('1 ') ? 'has' : 'have'} the value "${member}" in Urgency. It is kept, but a save that sends it again is refused. Keep it as an inactive value, or change the records first.`

it('counts the records with a value that is made inactive', async () => {
  expect(
    await plan(levels([level('low', false), level('mid', false), level('high', false), level('none')])),
  ).toEqual([
    [`${retired} value_set/level/body/values/0/active`, inactive('1 record', 'low')],
    [`${retired} value_set/level/body/values/1/active`, inactive('2 records', 'mid')],
  ])
})

it('counts the records with a value that is removed', async () => {
  expect(await plan(levels([level('low')]))).toEqual([
    [`${retired} value_set/level/body/values`, removed('2 records', 'mid')],
  ])
})

it('counts no records if the values are only renamed, ordered or added', async () => {
  expect(await plan(levels([...all].reverse()), levels([level('low')], 'other'))).toEqual([])
  expect(
    await plan(
      levels(all, 'grade', { renamedFrom: 'level' }),
      ticket('grade', 'grade', { aliases: ['urgency'] }),
    ),
  ).toEqual([])
})

it('counts the records of a field that takes its values from a different set', async () => {
  expect(await plan(levels([level('mid'), level('low', false)], 'other'), ticket('other'))).toEqual([
    [`${retired} object/ticket/body/fields/1/valueSet`, inactive('1 record', 'low')],
  ])
})

it('follows the names that the same change list gives to the field, its object and the set', async () => {
  const renamed = ticket('grade', 'grade', { aliases: ['urgency'] }) as { body: object }
  const object = { ...renamed, key: 'case', renamedFrom: 'ticket' }
  expect(await plan(levels([level('mid')], 'grade', { renamedFrom: 'level' }), object)).toEqual([
    [`${retired} value_set/grade/body/values`, removed('1 record', 'low').replace('ticket', 'case')],
  ])
})

it('leaves the value in its record, where it can be sent again only while it is an inactive one', async () => {
  const { body } = await ada('POST', '/data/v3/query', {
    object: 'ticket',
    fields: ['urgency'],
    filter: 'urgency == "low"',
  })
  const [{ id }] = body['records'] as [{ id: string }]
  const save = async (fields: object): Promise<number> =>
    (await ada('PATCH', `/data/v3/ticket/${id}`, fields, { 'if-match': '*' })).status
  await apply(test.studio, [levels([level('low', false), ...all.slice(1)])])
  expect([await save({ title: 'a' }), await save({ urgency: 'low' })]).toEqual([200, 200])
  // It was inactive before.
  expect(await plan(levels(all.slice(1)))).toEqual([
    [`${retired} value_set/level/body/values`, removed('1 record', 'low')],
  ])
  await apply(test.studio, [levels(all.slice(1))])
  expect([await save({ title: 'b' }), await save({ urgency: 'low' })]).toEqual([200, 422])
  const read = await ada('GET', `/data/v3/ticket/${id}`)
  expect(read.body['fields']).toMatchObject({ title: 'b', urgency: 'low' })
})
