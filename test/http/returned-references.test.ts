// References that come back with a revert, after the records that they name were deleted.
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Bodies } from '../../server/kernel/records/fixture.ts'
import { checkFolder } from '../../server/compose/check.ts'
import { archiveOrg, type ArchiveOrg, type SavedRecord } from '../support/archive-org.ts'
import { billingComponents, clerk } from '../support/billing-org.ts'

const text = (key: string): object => ({ key, type: 'text' })

/** A child with a reference and a stored formula along it, and a parent that counts its children. */
function pair(name: string, required: boolean): Bodies {
  const more = { nameField: 'name', sharing: { default: 'read_write' } }
  const [child, parent] = [`${name}_child`, `${name}_parent`]
  const rollup = { child, via: 't', op: 'count' }
  return {
    [`object/${parent}`]: {
      fields: [text('name'), { key: 'k', type: 'number', precision: 9, scale: 0, rollup }],
      ...more,
    },
    [`object/${child}`]: {
      fields: [
        text('name'),
        { key: 't', type: 'reference', references: parent, required },
        { key: 'tn', type: 'text', formula: { expression: 't.name', stored: true } },
      ],
      ...more,
    },
  }
}

const full = { ...pair('needed', true), ...pair('optional', false) }
const removed = new Set(['t', 'tn', 'k'])
const reduced = Object.fromEntries(
  Object.entries(full).map(([id, body]) => {
    const { fields } = body as { fields: { key: string }[] }
    return [id, { ...body, fields: fields.filter(({ key }) => !removed.has(key)) }]
  }),
) as Bodies

const pairs = ['needed', 'optional'] as const
type Pair = (typeof pairs)[number]
interface Child {
  child: string
  /** To which it refers. */
  parent: string
}

let org: ArchiveOrg
const orphans = new Map<Pair, Child[]>(pairs.map((name) => [name, []]))
/** One whose parent was not deleted. */
let kept: Child
/** A child whose parent was deleted; each once. */
const orphan = (name: Pair): Child => orphans.get(name)!.pop()!

async function sent<T>(path: string, request: object): Promise<T> {
  const { status, text: reason, body } = await org.test.studio<T>('POST', path, request)
  if (status !== 200) throw new Error(reason)
  return body
}

async function remove(object: string, id: string): Promise<number> {
  return (await org.ada('DELETE', `/data/v3/${object}/${id}`, undefined, { 'if-match': '*' })).status
}

async function fieldsOf(object: string, id: string): Promise<Record<string, unknown>> {
  return (await org.ada<SavedRecord>('GET', `/data/v3/${object}/${id}`)).body.fields
}

beforeAll(async () => {
  org = await archiveOrg(full)
  for (const name of pairs)
    for (let count = 0; count < 4; count += 1) {
      const parent = await org.add(`${name}_parent`, { name: 'gone' })
      orphans.get(name)!.push({ parent, child: await org.add(`${name}_child`, { name: 'a', t: parent }) })
    }
  const parent = await org.add('optional_parent', { name: 'here' })
  kept = { parent, child: await org.add('optional_child', { name: 'b', t: parent }) }
  const components = [...billingComponents(reduced), clerk(reduced)].map((each) => ({
    ...each,
    breaking: true,
  }))
  const { generation } = await sent<{ generation: number }>('/metadata/v3/apply', {
    components,
    rationale: 'test',
  })
  for (const [name, all] of orphans)
    for (const { parent } of all) expect(await remove(`${name}_parent`, parent)).toBe(204)
  await sent('/metadata/v3/revert', { generation, rationale: 'back' })
})
afterAll(() => org.test.close())

it('required references that come back are kept, and the record can be changed', async () => {
  const { child, parent } = orphan('needed')
  const { status, body } = await org.update('needed_child', child, { name: 'b' })
  expect([status, body]).toMatchObject([200, { fields: { name: 'b', t: parent, tn: null } }])
})

it('required references that come back are named by a check of the org', () => {
  const named = orphans.get('needed')!.map(({ child }) => child)
  const { ok, findings } = checkFolder(org.test.dir)
  const [found] = findings.filter(({ component }) => component === 'object/needed_child')
  expect([ok, found]).toMatchObject([true, { code: 'integrity.record_reference', severity: 'warning' }])
  for (const id of named) expect(found!.message).toContain(id)
})

it('optional references that come back are cleared, and the history shows it', async () => {
  const { child, parent } = orphan('optional')
  const expected = { name: 'a', t: null, tn: null }
  await expect.poll(() => fieldsOf('optional_child', child), { timeout: 10_000 }).toMatchObject(expected)
  const { body } = await org.ada('GET', `/data/v3/optional_child/${child}/history`)
  expect(body).toMatchObject({
    changes: [
      { fields: expect.arrayContaining([{ field: 't', before: parent, after: null }]) as unknown },
      {},
    ],
  })
})

it('references that come back are kept if the record that they name exists', async () => {
  expect(await fieldsOf('optional_child', kept.child)).toMatchObject({ t: kept.parent })
})

it.each(pairs)('references that come back can be entered again, and are then counted: %s', async (name) => {
  const parent = await org.add(`${name}_parent`, { name: 'other' })
  const { status, body } = await org.update(`${name}_child`, orphan(name).child, { t: parent })
  expect([status, body]).toMatchObject([200, { fields: { t: parent, tn: 'other' } }])
  expect(await fieldsOf(`${name}_parent`, parent)).toMatchObject({ k: '1' })
})

it.each(pairs)('references that come back do not prevent a recompute and a deletion: %s', async (name) => {
  const { child } = orphan(name)
  const path = `/data/v3/${name}_child/${child}/recompute`
  const recomputed = await org.ada('POST', path, {}, { 'if-match': '*' })
  expect([recomputed.status, await remove(`${name}_child`, child)]).toEqual([200, 204])
})
