// A search finds the records whose words begin with those of a text, of the records that the caller can see: compared with
// a look at each record.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Generations } from '../../server/kernel/records/fixture.ts'
import type { RecordDeps } from '../../server/records/index.ts'
import { runSaves, type SaveItem } from '../../server/records/index.ts'
import { createCursorSeal } from '../../server/records/query/cursor-seal.ts'
import { runSearch, type SearchRequest } from '../../server/records/query/run-search.ts'
import type { RecordCaller } from '../../server/records/read/record-caller.ts'
import { recordTable } from '../../server/records/record-table.ts'
import { createMemoryRecordStore } from '../../server/storage/sqlite/records/open-record-store.ts'
import { accessOf, rootAccess, type Person } from './access.ts'

const runs = Number(process.env['ALMANAC_RUNS'] ?? 60)
const seal = createCursorSeal(() => Buffer.alloc(32, 7))

const person = {
  fields: [
    { key: 'name', type: 'text' },
    { key: 'code', type: 'text', unique: true },
    { key: 'city', type: 'text' },
    { key: 'note', type: 'text' },
    { key: 'owner', type: 'text' },
  ],
  sharing: {
    default: 'private',
    ownerField: 'owner',
    rules: [{ key: 'zug', when: 'city.startsWith("Z")', permissionSet: 'zug', access: 'read' }],
  },
}
const layout = {
  object: 'person',
  sections: [
    {
      id: 'one',
      section: 'One',
      items: [{ id: 'a', type: 'component', key: 'lookup_field', inputs: { matchFields: 'name, city' } }],
    },
  ],
}
const before = { 'object/person': person }
const after = { 'object/person': { ...person, nameField: 'name' }, 'layout/person': layout }

const names = [
  'Ada Lovelace',
  'ADA BYRON',
  'Straße Ada',
  "O'Brien, Jr.",
  'Ädel',
  'Weiß Ada-Ada',
  'Byron Lovelace',
  'ΟΔΟΣ',
  '—',
  '',
]
const cities = ['Zug', 'Zürich', 'New York', 'ada city', '']
const typed = [
  'a',
  'ad',
  'ada',
  'ADA L',
  'strasse',
  'b o',
  'z',
  'zü',
  'ny',
  'new y',
  'οδος',
  'Weiss ada',
  'a lov',
  'ada zug',
  'b l',
  '',
  ' - ',
]

interface Ground extends RecordDeps {
  caller(person: Person): RecordCaller
  save(item: SaveItem): Promise<string | undefined>
}

function ground(bodies: readonly object[], few?: number): Ground {
  const generations = new Generations()
  for (const each of bodies) generations.add(each as Record<string, object>)
  const last = generations.at(bodies.length)
  let id = 0
  const deps: RecordDeps = {
    store: createMemoryRecordStore(few === undefined ? {} : { few }),
    snapshots: { active: () => last, at: (generation) => generations.at(generation) },
    clock: { now: () => '2026-01-01T00:00:00.000Z', today: () => '2026-01-01' },
    ids: { uuid: () => `00000000-0000-7000-8000-${String((id += 1)).padStart(12, '0')}` },
  }
  return {
    ...deps,
    caller: (who) => ({ present: last, scopePath: {}, access: accessOf(who, last) }),
    save: async (item) => {
      const [outcome] = await runSaves(deps, {
        ...{ generation: bodies.length, actor: 'ada', access: rootAccess(last), correlationId: 'c' },
        ...{ scopePath: {}, allOrNone: true, items: [item] },
      })
      return outcome!.ok ? (outcome!.record?.id ?? undefined) : undefined
    },
  }
}

const rights = Object.fromEntries(
  ['name', 'code', 'city', 'owner'].map((key) => [`person.${key}`, { read: true }]),
)
const root: Person = { user: 'root', platformRoot: true }
const people: Person[] = [
  root,
  ...[[], ['zug']].map((permissionSets) => ({
    ...{ user: 'eve', permissionSets, objects: { person: { read: true } }, fields: rights },
  })),
]

/** Words without the engine: letters and digits, both forms of ß and of sigma alike. */
const wordsIn = (text: string): string[] =>
  text
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ς', 'σ')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')

interface Row {
  values: Record<string, string | null>
}

function isFound({ values }: Row, fields: readonly string[], text: string): boolean {
  const words = fields.flatMap((field) => wordsIn(values[field] ?? ''))
  return wordsIn(text).every((typedWord) => words.some((word) => word.startsWith(typedWord)))
}

const isVisible = ({ values }: Row, { user, permissionSets = [] }: Person): boolean =>
  user === 'root' ||
  values['owner'] === user ||
  (permissionSets.includes('zug') && values['city']?.startsWith('Z') === true)

async function allPages(
  { store }: Ground,
  caller: RecordCaller,
  request: Omit<SearchRequest, 'object' | 'fields'>,
): Promise<string[]> {
  const ids: string[] = []
  let cursor: string | undefined
  do {
    const page = await store.read((reader) =>
      runSearch(caller, reader, { seal }, { ...request, object: 'person', fields: ['name'], cursor }),
    )
    expect(page.records.length).toBeLessThanOrEqual(request.limit)
    ids.push(...page.records.map(({ id }) => id))
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  return ids
}

const values = fc.record({
  name: fc.constantFrom(null, ...names),
  city: fc.constantFrom(null, ...cities),
  owner: fc.constantFrom('eve', 'bob', 'kim', 'lee'),
})
const step = fc.oneof(
  { weight: 8, arbitrary: values.map((each) => ({ op: 'insert' as const, values: each })) },
  {
    weight: 2,
    arbitrary: fc.record({ op: fc.constant('update' as const), at: fc.nat(), values }),
  },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('delete' as const), at: fc.nat() }) },
)
const question = fc.record({
  text: fc.constantFrom(...typed),
  matchFields: fc.constantFrom(undefined, ['name'], ['name', 'city'], ['city', 'code']),
  who: fc.constantFrom(...people),
  limit: fc.constantFrom(1, 2, 7, 100),
})

describe('a record search', () => {
  it('finds what a look at each record finds after any writes, in pages of any size', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 30, maxLength: 60, size: 'max' }),
        fc.array(question, { minLength: 8, maxLength: 8 }),
        fc.constantFrom(5, 8, 2000),
        async (steps, questions, few) => {
          const org = ground([after], few)
          const rows = new Map<string, Row>()
          for (const [index, each] of steps.entries()) {
            const id = [...rows.keys()][('at' in each ? each.at : 0) % Math.max(1, rows.size)] ?? ''
            if (each.op === 'insert') {
              const all = { ...each.values, code: `C-${index}` }
              rows.set((await org.save({ op: 'insert', object: 'person', values: all }))!, { values: all })
            } else if (rows.has(id)) {
              await org.save({ object: 'person', id, version: null, ...each })
              if (each.op === 'delete') rows.delete(id)
              else rows.set(id, { values: { ...rows.get(id)!.values, ...each.values } })
            }
          }
          for (const { who, ...request } of questions) {
            const found = await allPages(org, org.caller(who), request)
            const fields = request.matchFields ?? ['name']
            const expected = [...rows].filter(
              ([, row]) => isVisible(row, who) && isFound(row, fields, request.text),
            )
            expect(new Set(found)).toEqual(new Set(expected.map(([id]) => id)))
            expect(found).toHaveLength(expected.length)
          }
        },
      ),
      { numRuns: runs },
    )
  }, 1_800_000)

  it('lists the records of a word before those of a later word, and each once, by the whole text', async () => {
    const org = ground([after])
    for (const name of ['Bank Zug', 'Alpha Bank', 'Banker Ada', 'Beta bank Bank', 'Barn'])
      await org.save({ op: 'insert', object: 'person', values: { name } })
    const page = await org.store.read((reader) =>
      runSearch(
        org.caller(root),
        reader,
        { seal },
        {
          ...{ object: 'person', text: 'ban', fields: ['name'], limit: 50 },
        },
      ),
    )
    expect(page.records.map(({ fields }) => fields['name'])).toEqual([
      ...['Alpha Bank', 'Bank Zug', 'Beta bank Bank', 'Banker Ada'],
    ])
  })

  it('finds the few records of a caller among many, page by page', async () => {
    const org = ground([after], 6)
    const own: string[] = []
    for (let index = 0; index < 30; index++) {
      const values = { name: `Ada ${30 - index} Ada`, owner: index % 10 === 0 ? 'eve' : 'bob' }
      const id = await org.save({ op: 'insert', object: 'person', values })
      if (index % 10 === 0) own.unshift(id!)
    }
    for (const limit of [1, 2, 5])
      expect(await allPages(org, org.caller(people[1]!), { text: 'a', limit })).toEqual(own)
  })

  it('has an order that does not depend on records that the caller cannot see', async () => {
    const org = ground([after])
    const insert = (name: string, owner: string): Promise<string | undefined> =>
      org.save({ op: 'insert', object: 'person', values: { name, owner } })
    await insert('Pax Zqqb', 'eve')
    await insert('Pbx Zqqa', 'eve')
    const search = (): Promise<string[]> => allPages(org, org.caller(people[1]!), { text: 'p zqq', limit: 5 })
    const before = await search()
    expect(before).toHaveLength(2)
    for (const name of ['Pcx', 'Pdx', 'Pex']) await insert(name, 'bob')
    expect(await search()).toEqual(before)
    for (const name of ['Zqqc', 'Zqqd', 'Zqqe', 'Zqqf']) await insert(name, 'bob')
    expect(await search()).toEqual(before)
  })

  it('is refused for a field that it cannot search, and for one that the caller cannot read', async () => {
    const org = ground([after])
    const search = (who: Person, matchFields: string[]): Promise<unknown> =>
      org.store.read((reader) =>
        runSearch(
          org.caller(who),
          reader,
          { seal },
          {
            ...{ object: 'person', text: 'a', matchFields, fields: ['name'], limit: 5 },
          },
        ),
      )
    await expect(search(root, ['note'])).rejects.toThrow(
      'matchFields: person.note cannot be searched. Search name, code, city, or use a filter.',
    )
    await expect(search(people[1]!, ['note'])).rejects.toThrow('person has no field "note".')
    await expect(search(root, ['nam'])).rejects.toThrow('Did you mean "name"?')
  })

  it('matches another field for a caller who cannot read the name field', async () => {
    const org = ground([after])
    const values = { name: 'Ada', code: 'k1', city: 'Zug', owner: 'eve' }
    await runSaves(org, {
      ...{ generation: 1, actor: 'eve', access: rootAccess(org.snapshots.at(1)), correlationId: 'c' },
      ...{ scopePath: {}, allOrNone: true, items: [{ op: 'insert', object: 'person', values }] },
    })
    const eve: Person = {
      ...{ user: 'eve', objects: { person: { read: true } } },
      fields: { 'person.code': { read: true }, 'person.city': { read: true } },
    }
    const search = (text: string): Promise<string[]> => allPages(org, org.caller(eve), { text, limit: 5 })
    expect(await search('k1')).toHaveLength(1)
    expect(await search('ada')).toEqual([])
  })

  it('waits for the words of records that are older than the search', async () => {
    const org = ground([before, after])
    const { store } = org
    const [first, second] = [org.snapshots.at(1), org.snapshots.at(2)]
    const [outcome] = await runSaves(org, {
      ...{ generation: 1, actor: 'ada', access: rootAccess(first), correlationId: 'c', scopePath: {} },
      ...{ allOrNone: true, items: [{ op: 'insert', object: 'person', values: { city: 'Zug' } }] },
    })
    expect(outcome!.ok).toBe(true)
    const id = (outcome as { record: { id: string } }).record.id
    const table = recordTable(second, 'person')
    const search = (): Promise<string[]> =>
      allPages(org, org.caller(root), { text: 'zu', matchFields: ['city'], limit: 5 })
    await store.write((tx) => tx.enter([table]))
    await expect(search()).rejects.toMatchObject({ code: 'record.filling' })
    await store.write(async (tx) => {
      const searched = await tx.unindexed(table)
      await tx.indexWords(table.id, id)
      await tx.markFilled({ object: table.id, fields: [], searched })
    })
    expect(await search()).toEqual([id])
  })
})
