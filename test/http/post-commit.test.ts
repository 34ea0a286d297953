// Automations: at post_commit they run once after the save is acknowledged, over the record as the save left it; and what a
// user without the rights for an action is shown.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openOrg } from '../../server/compose/open-org.ts'
import { apply, signIn } from '../support/billing-org.ts'
import { eventually } from '../support/eventually.ts'
import { runningServer, type Ask, type TestServer } from '../support/running-server.ts'

interface Saved {
  id: string
  version: number
  fields: Record<string, unknown>
}
interface Page {
  records: Saved[]
}

const number = { type: 'number', precision: 9, scale: 0 }
const components = [
  {
    ...{ type: 'object', key: 'claim', label: 'Claim' },
    body: {
      storage: 'local',
      sharing: { default: 'read_write', rules: [] },
      fields: [
        { key: 'amount', ...number },
        { key: 'note', type: 'text' },
        { key: 'code', type: 'text', unique: true },
      ],
    },
  },
  {
    ...{ type: 'object', key: 'letter', label: 'Letter' },
    body: {
      storage: 'local',
      sharing: { default: 'read_write', rules: [] },
      fields: [
        { key: 'about', type: 'text' },
        { key: 'was', ...number },
        { key: 'now', ...number },
      ],
      validationRules: [
        { key: 'small', when: 'now > 1000', message: 'A letter is about a small amount.', field: 'now' },
      ],
    },
  },
  {
    ...{ type: 'automation', key: 'write_letter', label: 'Write a letter' },
    body: {
      ...{ object: 'claim', phase: 'post_commit', when: 'changed(amount) && amount > 10' },
      actions: [
        {
          ...{ key: 'letter', type: 'create', object: 'letter' },
          values: { about: 'note', was: 'isNew ? 0 : prior.amount', now: 'amount' },
        },
      ],
    },
  },
  {
    ...{ type: 'permission_set', key: 'clerk', label: 'Clerk' },
    body: {
      systemPermissions: ['operations.manage'],
      objects: {
        claim: { create: true, read: true, update: true, delete: true },
        letter: { create: true, read: true, update: true },
      },
      fields: Object.fromEntries(
        ['claim.amount', 'claim.note', 'claim.code', 'letter.about', 'letter.was', 'letter.now'].map(
          (name) => [name, { read: true, edit: true }],
        ),
      ),
    },
  },
]

let test: TestServer
let ada: Ask
beforeAll(async () => {
  test = await runningServer()
  await apply(test.studio, components)
  ;({ ada } = (await signIn(test, [{ key: 'ada', permissionSets: ['clerk'] }])) as { ada: Ask })
})
afterAll(() => test.close())

async function letters(about: string): Promise<Record<string, unknown>[]> {
  const { body } = await ada<Page>('POST', '/data/v3/query', {
    ...{ object: 'letter', fields: ['about', 'was', 'now'], filter: `about == "${about}"` },
    orderBy: [{ field: 'now', dir: 'asc' }],
  })
  return body.records.map(({ fields }) => fields)
}

const add = async (fields: object): Promise<Saved> =>
  (await ada<Saved>('POST', '/data/v3/claim', fields)).body
const change = (id: string, version: number, fields: object) =>
  ada<Saved>('PATCH', `/data/v3/claim/${id}`, fields, { 'if-match': `"${version}"` })

describe('an automation at post_commit', () => {
  it('runs once for each save that triggers it, over the record as the save left and found it', async () => {
    const { id } = await add({ note: 'a', amount: '20' })
    await change(id, 1, { amount: '30' })
    // Neither a save that does not change the amount, nor a small one.
    await change(id, 2, { amount: '30' })
    await change(id, 3, { amount: '5' })
    await eventually(async () =>
      expect(await letters('a')).toEqual([
        { about: 'a', was: '0', now: '20' },
        { about: 'a', was: '20', now: '30' },
      ]),
    )
    const { body } = await ada<{ jobs: { kind: string }[] }>('GET', '/setup/v3/jobs')
    expect(body.jobs.filter(({ kind }) => kind === 'automation')).toEqual([])
  })

  it('runs for each record of a batch, and not for one that failed', async () => {
    await ada('POST', '/data/v3/claim/batch', {
      allOrNone: false,
      records: [
        { op: 'insert', fields: { note: 'b', amount: '11' } },
        { op: 'insert', fields: { note: 'b', amount: 'much' } },
        { op: 'insert', fields: { note: 'b', amount: '12' } },
      ],
    })
    await eventually(async () => expect((await letters('b')).map(({ now }) => now)).toEqual(['11', '12']))
  })

  it('runs over the record as the save left it, although the next change deletes it', async () => {
    const item = (op: string, code: string, fields: object = {}): object => ({
      ...{ op, object: 'claim', fields: { code, ...fields } },
      ...(op === 'insert' ? {} : { externalId: 'code' }),
    })
    const { body, text } = await ada<{ results: { status: number }[] }>('POST', '/data/v3/batch', {
      records: [
        item('insert', 'x', { note: 'deleted', amount: '13' }),
        item('delete', 'x'),
        item('insert', 'y', { note: 'deleted', amount: '14' }),
        item('update', 'y', { amount: '15' }),
        item('delete', 'y'),
      ],
    })
    expect(
      body.results.every(({ status }) => status < 300),
      text,
    ).toBe(true)
    await eventually(async () =>
      expect(await letters('deleted')).toEqual([
        { about: 'deleted', was: '0', now: '13' },
        { about: 'deleted', was: '0', now: '14' },
        { about: 'deleted', was: '14', now: '15' },
      ]),
    )
  })

  it('that is refused leaves the save as it is, nothing half done, and a job with the reason', async () => {
    const { id } = await add({ note: 'c', amount: '2000' })
    await eventually(async () => {
      const { body } = await ada<{ jobs: object[] }>('GET', '/setup/v3/jobs')
      expect(body.jobs).toContainEqual(
        expect.objectContaining({
          ...{ kind: 'automation', state: 'failed', object: 'claim' },
          problem: expect.objectContaining({ code: 'record.invalid' }),
        }),
      )
    })
    expect(await letters('c')).toEqual([])
    expect((await ada<Saved>('GET', `/data/v3/claim/${id}`)).body.fields['amount']).toBe('2000')
  })

  it('with a call to another system ends before it, if the call is refused', async () => {
    const ledger = {
      ...{ type: 'named_credential', key: 'ledger', label: 'Ledger' },
      body: { url: 'https://ledger.example', externalCredential: 'bank', principal: 'shared' },
    }
    const bank = {
      ...{ type: 'external_credential', key: 'bank', label: 'Bank' },
      body: { scheme: 'basic', principals: [{ key: 'shared' }] },
    }
    const fetchRate = {
      ...{ type: 'automation', key: 'fetch_rate', label: 'Fetch a rate' },
      body: {
        ...{ object: 'claim', phase: 'post_commit', when: 'note == "rate"' },
        actions: [
          { key: 'letter', type: 'create', object: 'letter', values: { about: 'note' } },
          { key: 'rate', type: 'callout', credential: 'ledger', method: 'GET', path: '/rate' },
          { key: 'second', type: 'create', object: 'letter', values: { about: 'note' } },
        ],
      },
    }
    await apply(test.studio, [bank, ledger, fetchRate])
    await add({ note: 'rate', amount: '1' })
    await eventually(async () => {
      const { body } = await ada<{ jobs: object[] }>('GET', '/setup/v3/jobs')
      expect(body.jobs).toContainEqual(
        expect.objectContaining({
          ...{ state: 'failed', problem: expect.objectContaining({ code: 'access.denied' }) },
        }),
      )
    })
    expect(await letters('rate')).toHaveLength(1)
  })

  it('that was left by a server that stopped runs after the next start', async () => {
    const org = openOrg(test.dir)
    const fields = { note: 'd', amount: '15' }
    await org.records.save({
      ...{ generation: org.activeGeneration(), user: 'ada', correlationId: 'c', scopePath: {} },
      ...{ items: [{ op: 'insert', object: 'claim', fields }], allOrNone: true, reply: 'ids' },
    })
    await org.close()
    expect(await letters('d')).toEqual([])
    // Any save wakes the jobs, as a start does.
    await add({ note: 'e', amount: '15' })
    await eventually(async () => expect(await letters('d')).toHaveLength(1))
  })
})

describe('an automation that needs a right which the user does not have', () => {
  it('refuses the save by its own name, and does not name an object that the user cannot see', async () => {
    const reader = {
      ...{ type: 'permission_set', key: 'claims_only', label: 'Claims only' },
      body: {
        objects: { claim: { create: true, read: true } },
        fields: { 'claim.note': { read: true, edit: true } },
      },
    }
    const announce = {
      ...{ type: 'automation', key: 'announce', label: 'Announce' },
      body: {
        ...{ object: 'claim', phase: 'after_write', when: 'note == "f"' },
        actions: [{ key: 'letter', type: 'create', object: 'letter', values: { about: 'note' } }],
      },
    }
    await apply(test.studio, [reader, announce])
    const { bob } = await signIn(test, [{ key: 'bob', permissionSets: ['claims_only'] }])
    const { status, body } = await bob!('POST', '/data/v3/claim', { note: 'f' })
    expect([status, body['code']]).toEqual([422, 'record.invalid'])
    expect(body['detail']).toContain('The automation announce failed. It needs a right that you do not have.')
    expect(JSON.stringify(body)).not.toContain('letter')
  })

  it('does not name a field that the user cannot see', async () => {
    const writer = {
      ...{ type: 'permission_set', key: 'letters_too', label: 'Letters too' },
      body: {
        objects: { claim: { create: true, read: true }, letter: { create: true, read: true } },
        fields: { 'claim.note': { read: true, edit: true } },
      },
    }
    await apply(test.studio, [writer])
    const { cy } = await signIn(test, [{ key: 'cy', permissionSets: ['letters_too'] }])
    const { status, body } = await cy!('POST', '/data/v3/claim', { note: 'f' })
    expect([status, body['code']]).toEqual([422, 'record.invalid'])
    expect(body['details']).toMatchObject([{ code: 'access.denied', automation: 'announce' }])
    expect(JSON.stringify(body)).not.toContain('about')
  })
})
