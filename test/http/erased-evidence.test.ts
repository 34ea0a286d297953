// Erasures and archived evidence: a bundle is removed if its value was computed from what is erased, and no other one.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkFolder } from '../../server/compose/check.ts'
import { orgFile } from '../../server/compose/org-folder.ts'
import { billing, type Bodies } from '../../server/kernel/records/fixture.ts'
import { openRecordStore } from '../../server/storage/sqlite/index.ts'
import { apply, signIn } from '../support/billing-org.ts'
import { fieldsOf } from '../records/bodies.ts'
import { archiveOrg, type ArchiveOrg } from '../support/archive-org.ts'
import type { Ask } from '../support/running-server.ts'

/** Customers with sensitive names, and invoices without roll-ups. */
function withNames(buyer = 'customer.label'): Bodies {
  const bodies = billing()
  const customer = fieldsOf(bodies, 'customer').map((each) =>
    each['key'] === 'name' ? { ...each, sensitive: true } : each,
  )
  const invoice = fieldsOf(bodies, 'invoice')
    .filter(({ rollup }) => rollup === undefined)
    .map((each) =>
      each['key'] === 'buyer' ? { ...each, formula: { expression: buyer, stored: true } } : each,
    )
  const isPrivate = { sharing: { default: 'private' } }
  return {
    ...bodies,
    'object/customer': { fields: customer, ...isPrivate },
    'object/invoice': { fields: invoice, ...isPrivate },
  }
}

const everything = { create: true, read: true, update: true, delete: true, viewAll: true, modifyAll: true }
const edited = { read: true, edit: true }

let org: ArchiveOrg
let number = 0
const ofInvoice = (customer: string): object => ({
  ...{ number: `E-${(number += 1)}`, customer, tax_point: '2022-01-01', net: '100' },
})
const customerOf = (name: string): Promise<string> => org.add('customer', { name, country: 'DE' })
const erase = (ask: Ask, object: string, id: string): ReturnType<Ask> =>
  ask('POST', '/setup/v3/erasures', { object, id, reason: 'request 17' })
const isKept = async ({ archive }: { archive: string }): Promise<boolean> =>
  (await org.exported(archive)).length === 1

beforeAll(async () => {
  org = await archiveOrg(withNames())
})
afterAll(() => org.test.close())

describe('an erasure', () => {
  it('removes the bundles of the values that have read what it erases, and no others', async () => {
    // Every bundle contains these digits, in a date.
    const erased = await customerOf('2022')
    const other = await org.add('invoice', ofInvoice(await customerOf('Otto')))
    const own = await org.add('invoice', ofInvoice(erased))
    const kept = [
      await org.archive(other, 'buyer'),
      await org.archive(other, 'tax'),
      await org.archive(own, 'tax'),
    ]
    const buyer = await org.archive(own, 'buyer')
    expect(buyer.evidence).toContain('2022 (DE)')
    expect(await erase(org.ada, 'customer', erased)).toMatchObject({ status: 200 })
    expect(await isKept(buyer)).toBe(false)
    for (const each of kept) expect(await isKept(each)).toBe(true)
  })

  it('leaves kept responses and filters that contain a value within something else', async () => {
    const erased = await customerOf('2022')
    const fields = ofInvoice(await customerOf('Otto'))
    const repeat = (): ReturnType<Ask> =>
      org.ada('POST', '/data/v3/invoice', fields, { 'idempotency-key': 'once' })
    const first = await repeat()
    const filter = 'tax_point > date("2022-01-01")'
    const asked = (text: string): object => ({ kind: 'replay', object: 'invoice', filter: text })
    const started = async (text: string): Promise<string> =>
      (await org.ada<{ id: string }>('POST', '/setup/v3/jobs', asked(text))).body.id
    const jobs = [await started(filter), await started('buyer == "2022 (DE)" && number == "2022"')]
    await org.add('invoice', ofInvoice(erased))
    await erase(org.ada, 'customer', erased)
    expect(await repeat()).toMatchObject({ status: 201, body: first.body })
    const filterOf = async (id: string | undefined): Promise<unknown> =>
      (await org.ada<{ filter: string }>('GET', `/setup/v3/jobs/${id}`)).body.filter
    expect(await filterOf(jobs[0])).toBe(filter)
    expect(await filterOf(jobs[1])).toMatch(/^buyer == "erased:[^"]+" && number == "erased:[^"]+"$/)
  })

  it('finds the bundle of a value whose formula and generation are gone', async () => {
    const erased = await customerOf('Zephyrine')
    const invoice = await org.add('invoice', ofInvoice(erased))
    const buyer = await org.archive(invoice, 'buyer')
    await org.deploy(withNames('"none"'))
    await org.ada('POST', '/setup/v3/jobs', { kind: 'rebind', object: 'invoice' })
    const active = await org.test.beside(async ({ org: opened }) => opened.activeGeneration())
    await expect
      .poll(async () => (await org.test.studio('POST', '/setup/v3/purge', { before: active })).status)
      .toBe(200)
    expect(await isKept(buyer)).toBe(true)
    await erase(org.ada, 'customer', erased)
    expect(await isKept(buyer)).toBe(false)
  })

  it('of a record without sensitive fields changes nothing', async () => {
    const invoice = await org.add('invoice', ofInvoice(await customerOf('Otto')))
    const tax = await org.archive(invoice, 'tax')
    expect(await erase(org.ada, 'invoice', invoice)).toMatchObject({
      ...{ status: 200, body: { fields: [], records: 0, changes: 0 } },
    })
    expect(await isKept(tax)).toBe(true)
  })

  it('of a record that the user cannot see is refused as one that does not exist', async () => {
    const rights = { create: true, read: true, update: true, delete: true, viewAll: false, modifyAll: false }
    const body = { systemPermissions: ['operations.manage'], objects: { customer: rights } }
    await apply(org.test.studio, [{ type: 'permission_set', key: 'desk', label: 'Desk', body }])
    const { dan } = (await signIn(org.test, [{ key: 'dan', permissionSets: ['desk'] }])) as { dan: Ask }
    const customer = await customerOf('Yolanda')
    const refused = { status: 404, body: { code: 'record.not_found' } }
    expect(await erase(dan, 'customer', customer)).toMatchObject(refused)
    await org.ada('DELETE', `/data/v3/customer/${customer}`, undefined, { 'if-match': '*' })
    expect(await erase(dan, 'customer', customer)).toMatchObject(refused)
    expect(await erase(org.ada, 'customer', customer)).toMatchObject({ status: 200 })
  })

  it('of a record whose object was removed covers its evidence, its history and kept responses', async () => {
    const contact = (key: string): object => ({
      ...{ type: 'object', key, label: key },
      body: {
        fields: [
          { key: 'name', type: 'text', sensitive: true },
          { key: 'city', type: 'text' },
          { key: 'card', type: 'text', formula: { expression: 'name + " of " + city', stored: true } },
        ],
      },
    })
    const fields = { 'contact.name': edited, 'contact.city': edited, 'contact.card': { read: true } }
    const agent = {
      ...{ type: 'permission_set', key: 'agent', label: 'Agent' },
      body: { objects: { contact: everything }, fields },
    }
    await apply(org.test.studio, [contact('contact'), agent])
    const { eva } = (await signIn(org.test, [
      { key: 'eva', permissionSets: ['agent', 'operator', 'administrator'] },
    ])) as { eva: Ask }
    const sent = { name: 'Wilhelmina', city: 'Vienna' }
    const insert = (): ReturnType<Ask> => eva('POST', '/data/v3/contact', sent, { 'idempotency-key': 'c' })
    const { id } = (await insert()).body as { id: string }
    const archived = await eva<{ archive: string }>('POST', `/data/v3/contact/${id}/values/card/archive`)
    expect(archived.status).toBe(200)
    const evidence = async (): Promise<string> =>
      (await eva('GET', `/setup/v3/archives/${archived.body.archive}/evidence`)).text
    expect(await evidence()).toContain('Wilhelmina of Vienna')
    await eva('DELETE', `/data/v3/contact/${id}`, undefined, { 'if-match': '*' })
    const cleared = { ...agent, body: {} }
    await apply(org.test.studio, [cleared])
    const removed = await org.test.studio('POST', '/metadata/v3/apply', {
      ...{ removals: ['object/contact'], breaking: ['object/contact'], rationale: 'test' },
    })
    expect(removed.status, removed.text).toBe(200)
    const stored = async (): Promise<string> => {
      const store = openRecordStore(orgFile(org.test.dir))
      const { changes } = await store.read(async (reader) => {
        const [object] = (await reader.objects()).filter((each) => each.startsWith('object/contact@'))
        return reader.history(object!, id, { limit: 10 })
      })
      await store.close()
      return JSON.stringify(changes.map(({ fields: changed }) => changed))
    }
    expect(await stored()).toContain('Wilhelmina')

    const refused = { status: 404, body: { code: 'object.not_found' } }
    expect(await erase(eva, 'contact', '01a21d36-7ad5-7000-a84d-14b41cc03675')).toMatchObject(refused)
    expect(await erase(eva, 'contract', id)).toMatchObject(refused)
    const named = { object: 'contact', id, reason: 'asked by wilhelmina' }
    expect(await eva('POST', '/setup/v3/erasures', named)).toMatchObject({ status: 422 })
    const { dora } = (await signIn(org.test, [{ key: 'dora', permissionSets: ['clerk'] }])) as { dora: Ask }
    expect(await erase(dora, 'contact', id)).toMatchObject({ status: 403 })
    // An object that has its key now is a different one.
    await apply(org.test.studio, [contact('contact')])
    expect(await erase(eva, 'contact', id)).toMatchObject({
      ...{ status: 200, body: { fields: ['name'], records: 1, changes: 2, continues: false } },
    })
    const left = await stored()
    expect(left).not.toContain('Wilhelmina')
    expect(left).toContain('Vienna')
    expect(left).toContain('erased:')
    expect(await evidence()).toBe('')
    await apply(org.test.studio, [agent])
    expect(await insert()).toMatchObject({ status: 410, body: { code: 'record.erased' } })
    const { body } = await org.test.studio('GET', '/metadata/v3/audit?kind=record.erased&limit=1')
    expect(JSON.stringify(body)).toContain(`record/contact/${id}`)
    const { ok, findings } = checkFolder(org.test.dir)
    expect([ok, findings]).toEqual([true, []])
  })
})
