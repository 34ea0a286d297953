// Pages for a viewer who owns many of the records of an object: the right ones, and about as fast as for a viewer of all.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FieldId, RecordSnapshot } from '#kernel/records/index.ts'
import { Generations } from '../../server/kernel/records/fixture.ts'
import type { RecordStore } from '../../server/ports/record-store.ts'
import { createCursorSeal } from '../../server/records/query/cursor-seal.ts'
import { runQuery, type QueryRequest } from '../../server/records/query/run-query.ts'
import { recordTable } from '../../server/records/record-table.ts'
import { createMemoryRecordStore } from '../../server/storage/sqlite/records/open-record-store.ts'
import { accessOf, type Person } from './access.ts'

const count = 80_000
const bodies = {
  'object/company': {
    nameField: 'name',
    fields: [
      { key: 'name', type: 'text' },
      { key: 'owner', type: 'text' },
    ],
    sharing: {
      default: 'private',
      ownerField: 'owner',
      rules: [{ key: 'late', when: 'owner == "late"', permissionSet: 'all_late', access: 'read' }],
    },
  },
}

interface Company {
  id: string
  name: string | null
  owner: string
}

/** Every second belongs to `half`, and the last 3,000 by name to `late`. Three share a name, and some have none. */
const companies = Array.from({ length: count }, (_, index): Company => ({
  id: `00000000-0000-7000-8000-${String((index * 7919) % count).padStart(12, '0')}`,
  name: index < 500 ? null : `c${String(Math.floor(index / 3)).padStart(6, '0')}`,
  owner: index >= count - 3000 ? 'late' : index % 1000 === 1 ? 'few' : index % 2 === 0 ? 'half' : 'others',
}))

const seal = createCursorSeal(() => Buffer.alloc(32, 7))
let store: RecordStore
let present: RecordSnapshot

beforeAll(async () => {
  present = new Generations().add(bodies)
  store = createMemoryRecordStore()
  const table = recordTable(present, 'company')
  const ids = present.names.fieldIds('company')
  const at = '2026-01-01T00:00:00.000Z'
  await store.write(async (tx) => {
    await tx.enter([table])
    for (const { id, name, owner } of companies)
      await tx.insert({
        ...{ id, object: table.id, version: 1, createdAt: at, createdBy: 'a', changedAt: at, changedBy: 'a' },
        values: new Map<FieldId, string | null>([
          [ids.get('name')!, name],
          [ids.get('owner')!, owner],
        ]),
        ...{ bindings: new Map(), inputs: new Map() },
      })
  })
})
afterAll(() => store.close())

const fields = { 'company.name': { read: true }, 'company.owner': { read: true } }
const owning = (user: string, ...permissionSets: string[]): Person => ({
  ...{ user, permissionSets, objects: { company: { read: true } }, fields },
})
const everyone: Person = { user: 'all', objects: { company: { read: true, viewAll: true } }, fields }

type Asked = Pick<QueryRequest, 'filter' | 'orderBy' | 'limit' | 'cursor'>

const page = (person: Person, asked: Asked): ReturnType<typeof runQuery> =>
  store.read((reader) =>
    runQuery(
      { present, scopePath: {}, access: accessOf(person, present) },
      reader,
      { seal },
      {
        ...{ object: 'company', fields: ['name'] },
        ...asked,
      },
    ),
  )

/** The IDs of the first pages. */
async function firstPages(person: Person, asked: Asked, pages: number): Promise<string[]> {
  const found: string[] = []
  let cursor: string | null = null
  for (let at = 0; at < pages; at += 1) {
    const { records, nextCursor } = await page(person, cursor === null ? asked : { ...asked, cursor })
    found.push(...records.map(({ id }) => id))
    cursor = nextCursor
    if (cursor === null) break
  }
  return found
}

type Order = 'asc' | 'desc' | 'none'

function expected(
  owners: readonly string[],
  order: Order,
  isMet: (name: string | null) => boolean,
): string[] {
  const seen = companies.filter(({ owner, name }) => owners.includes(owner) && isMet(name))
  const text = ({ name, id }: Company): string => (order === 'none' ? '' : (name ?? '')) + id
  const sorted = seen.toSorted((a, b) => (text(a) < text(b) ? -1 : 1))
  return (order === 'desc' ? sorted.reverse() : sorted).map(({ id }) => id)
}

describe('a page for a viewer of many records', () => {
  it.each([
    { user: 'half', order: 'asc', limit: 50 },
    { user: 'half', order: 'desc', limit: 50 },
    { user: 'half', order: 'none', limit: 7 },
    { user: 'half', order: 'asc', limit: 2000, pages: 20 },
    { user: 'half', order: 'asc', limit: 7, filter: 'name > "c006000" && name <= "c006020"', pages: 9 },
    { user: 'half', order: 'desc', limit: 50, filter: 'name < "c006000"' },
    { user: 'half', order: 'asc', limit: 50, filter: 'name.endsWith("77")' },
    { user: 'late', order: 'asc', limit: 50 },
    { user: 'late', order: 'asc', limit: 1000, pages: 9 },
    { user: 'late', order: 'desc', limit: 50 },
    { user: 'few', order: 'asc', limit: 7, pages: 9 },
    { user: 'few', order: 'desc', limit: 7, set: 'all_late' },
    { user: 'half', order: 'desc', limit: 50, set: 'all_late' },
  ] as const)('contains the records of $user in the order $order, $limit each', async (each) => {
    const { user, order, limit } = each
    const { pages = 3, filter, set } = { pages: undefined, filter: undefined, set: undefined, ...each }
    const isMet = (name: string | null): boolean =>
      filter === undefined || (name !== null && tests[filter](name))
    const orderBy = order === 'none' ? [] : [{ field: 'name', dir: order }]
    const person = owning(user, ...(set === undefined ? [] : [set]))
    const found = await firstPages(
      person,
      { orderBy, limit, ...(filter === undefined ? {} : { filter }) },
      pages,
    )
    const owners = set === undefined ? [user] : [user, 'late']
    expect(found).toEqual(expected(owners, order, isMet).slice(0, limit * pages))
  })

  it('takes about as long as a page for a viewer of all records', async () => {
    const timed = async (person: Person): Promise<number> => {
      const started = performance.now()
      await page(person, { filter: 'name > "c000500"', orderBy: [{ field: 'name', dir: 'asc' }], limit: 50 })
      return performance.now() - started
    }
    const times: [number, number][] = []
    for (let turn = 0; turn < 15; turn += 1) times.push([await timed(owning('half')), await timed(everyone)])
    // The fastest turn of each: other work on the machine slows single turns down.
    const [own, all] = [0, 1].map((side) => Math.min(...times.map((each) => each[side]!)))
    expect(own! / all!).toBeLessThan(8)
  })
})

const tests = {
  'name > "c006000" && name <= "c006020"': (name: string) => name > 'c006000' && name <= 'c006020',
  'name < "c006000"': (name: string) => name < 'c006000',
  'name.endsWith("77")': (name: string) => name.endsWith('77'),
}
