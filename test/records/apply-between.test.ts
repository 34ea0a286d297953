// A save between the check of an apply and its write: what the apply would lose is checked again.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { enginesOf } from '../../server/compose/engines.ts'
import { initOrg, type OpenedOrg } from '../../server/compose/open-org.ts'

let dir: string
let org: OpenedOrg
/** Runs when an apply has been checked and begins to write. */
let beforeWrite: () => Promise<unknown>
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'almanac-between-'))
  beforeWrite = () => Promise.resolve()
  const writeQueue = {
    run: async <T>(work: () => Promise<T> | T): Promise<T> => {
      await beforeWrite()
      return work()
    },
  }
  org = initOrg(dir, { name: 'Between', environment: 'test' }, { writeQueue })
  await apply([invoice(['number', 'note']), clerk])
  const by = { actor: 'admin', correlationId: 'c', isOperator: true }
  await enginesOf(org).access.addUser(by, { key: 'cleo', name: 'Cleo', permissionSets: ['clerk'] })
})
afterEach(async () => {
  await org.close()
  rmSync(dir, { recursive: true, force: true })
})

const invoice = (fields: readonly string[]): object => ({
  ...{ type: 'object', key: 'invoice', label: 'Invoice' },
  body: { storage: 'local', fields: fields.map((key) => ({ key, type: 'text' })) },
})
const clerk = {
  ...{ type: 'permission_set', key: 'clerk', label: 'Clerk' },
  body: {
    objects: { invoice: { create: true, read: true } },
    fields: { 'invoice.number': { read: true, edit: true }, 'invoice.note': { read: true, edit: true } },
  },
}
const clerkWithoutNote = {
  ...clerk,
  body: { ...clerk.body, fields: { 'invoice.number': { read: true, edit: true } } },
}

const apply = (components: readonly object[]): Promise<unknown> =>
  org.apply({ source: { kind: 'components', components }, actor: 'admin', rationale: 'test' })

const save = (fields: Record<string, string>): Promise<unknown> =>
  org.records.save({
    ...{ generation: org.activeGeneration(), user: 'cleo', correlationId: 'c', scopePath: {} },
    ...{ items: [{ op: 'insert', object: 'invoice', fields }], allOrNone: true, reply: 'ids' },
  })

/** Saves once, before the next apply writes. */
function saveBetween(fields: Record<string, string>): void {
  beforeWrite = async () => {
    beforeWrite = () => Promise.resolve()
    await save(fields)
  }
}

it('refuses the removal of a field that has got its first value since', async () => {
  saveBetween({ number: 'R-1', note: 'paid' })
  await expect(apply([invoice(['number']), clerkWithoutNote])).rejects.toMatchObject({
    details: expect.arrayContaining([expect.objectContaining({ code: 'object.values_lost' })]),
  })
})

it('applies the removal if the record saved since has no value of the field', async () => {
  saveBetween({ number: 'R-1' })
  await apply([invoice(['number']), clerkWithoutNote])
  expect(org.pin().view.get('object', 'invoice')?.body.fields).toHaveLength(1)
})

it('refuses a formula that reads a value which a save has bound to a formula that reads it since', async () => {
  const number = { type: 'number', precision: 9, scale: 2 }
  const levy = {
    ...{ type: 'config_set', key: 'levy', label: 'Levy' },
    body: {
      ...{ cardinality: 'singleton', read: { clerk: 'read' }, edit: { administrator: 'edit' } },
      fields: [{ key: 'rate', ...number, required: true }],
    },
  }
  const entry = {
    ...{ type: 'config_entry', key: 'levy.only', label: 'Levy' },
    body: { set: 'levy', scope: { kind: 'org' }, values: { rate: '2' } },
  }
  const computed = (base: string, fee: string): object => ({
    ...{ type: 'object', key: 'invoice', label: 'Invoice' },
    body: {
      storage: 'local',
      fields: [
        ...['number', 'note'].map((key) => ({ key, type: 'text' })),
        ...Object.entries({ base, fee }).map(([key, expression]) => {
          return { key, ...number, formula: { expression, stored: true } }
        }),
      ],
    },
  })
  await apply([levy, entry, computed('1', 'base * config.levy.rate')])
  const turned = computed('fee + 1', 'config.levy.rate')
  saveBetween({ number: 'R-1' })
  await expect(apply([turned])).rejects.toMatchObject({
    details: expect.arrayContaining([expect.objectContaining({ code: 'object.bound_cycle' })]),
  })
})
