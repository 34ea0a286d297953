// A query returns what its filter is true for, in its order, page by page, of the records that the caller can see: compared
// with an evaluation of each record.
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { compileExpression, compareValues, exprValueFromField, libraryOf } from '#kernel/expr/index.ts'
import { viewValues, type RecordSnapshot, type RecordView } from '#kernel/records/index.ts'
import { evaluateForRecord } from '../../server/kernel/records/index.ts'
import { Generations } from '../../server/kernel/records/fixture.ts'
import type { StoredRecord } from '../../server/ports/record-store.ts'
import { createCursorSeal } from '../../server/records/query/cursor-seal.ts'
import { runQuery, type QueryRequest } from '../../server/records/query/run-query.ts'
import type { RecordCaller } from '../../server/records/read/record-caller.ts'
import { runSaves, type RecordDeps } from '../../server/records/index.ts'
import { createMemoryRecordStore } from '../../server/storage/sqlite/records/open-record-store.ts'
import { accessOf, rootAccess, type Person } from './access.ts'

const runs = Number(process.env['ALMANAC_RUNS'] ?? 300)

const bodies = {
  'object/team': {
    fields: [
      { key: 'name', type: 'text' },
      { key: 'size', type: 'number', precision: 5, scale: 0 },
      { key: 'lead', type: 'text' },
    ],
    sharing: { default: 'private', ownerField: 'lead', rules: [] },
  },
  'object/task': {
    fields: [
      { key: 'title', type: 'text' },
      { key: 'cost', type: 'number', precision: 9, scale: 2 },
      { key: 'budget', type: 'number', precision: 9, scale: 2 },
      { key: 'huge', type: 'number', precision: 30, scale: 4 },
      { key: 'due', type: 'date' },
      { key: 'seen', type: 'datetime' },
      { key: 'done', type: 'boolean' },
      { key: 'owner', type: 'text' },
      { key: 'team', type: 'reference', references: 'team' },
      {
        key: 'twice',
        type: 'number',
        precision: 12,
        scale: 2,
        formula: { expression: 'cost * 2', stored: true },
      },
      { key: 'late', type: 'boolean', formula: { expression: 'cost > budget', stored: false } },
    ],
    sharing: {
      default: 'private',
      ownerField: 'owner',
      rules: [
        { key: 'cheap', when: 'cost < 2.5 || !(title == "b")', permissionSet: 'viewers', access: 'read' },
        { key: 'large', when: 'team.size >= 3', permissionSet: 'leads', access: 'read' },
      ],
    },
  },
}

const texts = ['', 'a', 'ab', 'b', 'B', 'ä', '😀', 'a😀b']
const costs = ['0.00', '-1.50', '2.00', '2.50', '999.99']
const huges = ['0.0000', '-12345678901234567890.5000', '99999999999999999999999999.9999', '1.0000']
const dates = ['2020-01-01', '2021-06-30', '2024-02-29']
const instants = ['2020-01-01T00:00:00Z', '2020-01-01T00:00:00.5Z', '2021-01-01T12:00:00Z']

let deps: RecordDeps
let present: RecordSnapshot
let records: StoredRecord[]
const loaded = new Map<string, StoredRecord>()
const seal = createCursorSeal(() => Buffer.alloc(32, 7))

beforeAll(async () => {
  const generations = new Generations()
  present = generations.add(bodies)
  let id = 0
  deps = {
    store: createMemoryRecordStore(),
    snapshots: { active: () => present, at: (generation) => generations.at(generation) },
    clock: { now: () => '2026-01-01T00:00:00.000Z', today: () => '2026-01-01' },
    ids: { uuid: () => `00000000-0000-7000-8000-${String((id += 1)).padStart(12, '0')}` },
  }
  const save = async (object: string, values: Record<string, unknown>): Promise<StoredRecord> => {
    const [outcome] = await runSaves(deps, {
      ...{ generation: 1, actor: 'ada', access: rootAccess(present), correlationId: 'c', scopePath: {} },
      ...{ allOrNone: true, items: [{ op: 'insert', object, values }] },
    })
    if (!outcome!.ok) throw outcome!.error
    loaded.set(outcome!.record!.id, outcome!.record!)
    return outcome!.record!
  }
  const teams: string[] = []
  for (const [name, size, lead] of [
    ['red', '2', 'ada'],
    ['blue', '5', 'eve'],
    [null, null, null],
  ] as const)
    teams.push((await save('team', { name, size, lead })).id)
  const random = fc.sample(
    fc.record({
      title: fc.constantFrom(null, ...texts),
      cost: fc.constantFrom(null, ...costs),
      budget: fc.constantFrom(null, ...costs),
      huge: fc.constantFrom(null, ...huges),
      due: fc.constantFrom(null, ...dates),
      seen: fc.constantFrom(null, ...instants),
      done: fc.constantFrom(null, true, false),
      owner: fc.constantFrom('ada', 'eve', 'bob'),
      team: fc.constantFrom(null, ...teams),
    }),
    { numRuns: 120, seed: 11 },
  )
  records = []
  for (const values of random) records.push(await save('task', values))
})

const view = (record: StoredRecord): RecordView =>
  viewValues('task', record.values, present, (id) => loaded.get(id))

const people: Person[] = [
  { user: 'root', platformRoot: true },
  ...['eve', 'bob'].flatMap((user) =>
    [[], ['viewers'], ['leads'], ['viewers', 'leads']].map((permissionSets) => ({
      ...{ user, permissionSets },
      objects: { task: { read: true }, team: { read: true } },
      fields: Object.fromEntries(
        Object.entries(bodies).flatMap(([id, { fields }]) =>
          fields.map(({ key }) => [`${id.split('/')[1]}.${key}`, { read: true }]),
        ),
      ),
    })),
  ),
]
const callerOf = (person: Person): RecordCaller => ({
  present,
  scopePath: {},
  access: accessOf(person, present),
})

const operator = fc.constantFrom('==', '!=', '<', '<=', '>', '>=')
const quoted = (text: string): string => JSON.stringify(text)
const atom = fc.oneof(
  fc.tuple(operator, fc.constantFrom(...texts)).map(([op, text]) => `title ${op} ${quoted(text)}`),
  fc
    .tuple(
      fc.constantFrom('cost', 'budget', 'twice'),
      operator,
      fc.constantFrom('2', '2.5', '2.505', '-1.499', '1000000000000', '-99999999999999999999'),
    )
    .map(([field, op, number]) => `${field} ${op} ${number}`),
  fc
    .tuple(
      operator,
      fc.constantFrom(
        '1',
        '-12345678901234567890.5',
        '-12345678901234567890.50001',
        '99999999999999999999999999.99995',
        '1000000000000000000000000000',
      ),
    )
    .map(([op, number]) => `huge ${op} ${number}`),
  operator.map((op) => `2.5 ${op} cost`),
  operator.map((op) => `cost ${op} budget`),
  fc.tuple(operator, fc.constantFrom(...dates)).map(([op, date]) => `due ${op} date("${date}")`),
  fc.constantFrom('done', 'present(title)', 'present(team)', 'present(team.size)', 'true', '1 > 2'),
  fc.constantFrom(
    'cost in [2, 2.5, 2.505]',
    'title in ["a", "😀"]',
    'team.size > 2',
    'team.name == "red"',
    'team.lead == owner',
  ),
  fc
    .tuple(fc.constantFrom('startsWith', 'endsWith', 'contains'), fc.constantFrom(...texts))
    .map(([test, text]) => `title.${test}(${quoted(text)})`),
)
const { filter } = fc.letrec<{ filter: string }>((tie) => ({
  filter: fc.oneof(
    { depthSize: 'small' },
    atom,
    tie('filter').map((of) => `!(${of})`),
    fc
      .tuple(tie('filter'), fc.constantFrom('&&', '||'), tie('filter'))
      .map(([a, op, b]) => `(${a} ${op} ${b})`),
  ),
}))
const orders = fc.array(
  fc.record({
    field: fc.constantFrom('title', 'cost', 'huge', 'due', 'seen', 'done', 'twice', 'team.name', 'team.size'),
    dir: fc.constantFrom('asc' as const, 'desc' as const),
  }),
  { maxLength: 3 },
)

const types: Readonly<Record<string, 'text' | 'number' | 'date' | 'datetime' | 'boolean'>> = {
  ...{ title: 'text', cost: 'number', huge: 'number', due: 'date', seen: 'datetime', done: 'boolean' },
  ...{ twice: 'number', 'team.name': 'text', 'team.size': 'number' },
}

/** The value of a dotted field, as a caller sees it. */
function valueOf({ access }: RecordCaller, record: RecordView, name: string): unknown {
  const [first, second] = name.split('.') as [string, string | undefined]
  if (second === undefined) return record.value(first)
  const target = record.follow(first)
  return target === null || access.rowAccess(target) === 'none' ? null : target.value(second)
}

function compareBy(caller: RecordCaller, orderBy: QueryRequest['orderBy']) {
  return (a: StoredRecord, b: StoredRecord): number => {
    for (const { field, dir } of orderBy) {
      const [x, y] = [valueOf(caller, view(a), field), valueOf(caller, view(b), field)]
      const order = compareStored(types[field]!, x, y)
      if (order !== 0) return dir === 'asc' ? order : -order
    }
    const byId = a.id < b.id ? -1 : 1
    return orderBy.at(-1)?.dir === 'desc' ? -byId : byId
  }
}

function compareStored(type: (typeof types)[string], a: unknown, b: unknown): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null)
  if (typeof a === 'boolean') return Number(a) - Number(b)
  return compareValues(exprValueFromField(type, a), exprValueFromField(type, b))
}

/** The records that an evaluation of the filter selects, over what the caller can see along references. */
function expected(caller: RecordCaller, source: string, orderBy: QueryRequest['orderBy']): string[] {
  const compiled = compileExpression(
    source,
    { kind: 'list_filter', object: 'task' },
    present.view,
    'boolean',
    libraryOf(present.view),
  )
  if (!compiled.ok) throw new Error(`${source}: ${compiled.problems[0]!.message}`)
  const { access } = caller
  const seen = (record: RecordView): RecordView => ({
    ...record,
    value: (field) => record.value(field),
    follow: (field) => {
      const target = record.follow(field)
      return target === null || access.rowAccess(target) === 'none' ? null : target
    },
  })
  const program = { program: compiled.program, paths: [], isBound: false }
  return records
    .filter((record) => access.rowAccess(view(record)) !== 'none')
    .filter(
      (record) =>
        evaluateForRecord({ snapshot: present, scopePath: {} }, program, seen(view(record))) === true,
    )
    .sort(compareBy(caller, orderBy))
    .map(({ id }) => id)
}

async function allPages(
  caller: RecordCaller,
  request: Omit<QueryRequest, 'object' | 'fields'>,
): Promise<string[]> {
  const ids: string[] = []
  let cursor: string | undefined
  do {
    const page = await deps.store.read((reader) =>
      runQuery(caller, reader, seal, { ...request, object: 'task', fields: ['title'], cursor }),
    )
    expect(page.records.length).toBeLessThanOrEqual(request.limit)
    ids.push(...page.records.map(({ id }) => id))
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  return ids
}

describe('a query', () => {
  it('returns the visible records for which its filter is true, in its order and in pages of any size', async () => {
    await fc.assert(
      fc.asyncProperty(
        filter,
        orders,
        fc.constantFrom(...people),
        fc.constantFrom(1, 7, 50, 500),
        async (source, orderBy, person, limit) => {
          const caller = callerOf(person)
          expect(await allPages(caller, { filter: source, orderBy, limit })).toEqual(
            expected(caller, source, orderBy),
          )
        },
      ),
      { numRuns: runs },
    )
  }, 300_000)

  it.each([
    ['late', 'Store the formula of task.late.'],
    ['cost * 2 > 3', 'A filter cannot use arithmetic over fields. Store a formula'],
    ['title.lower() == "a"', 'A filter cannot use lower(…) of a field.'],
    ['cost > huge', 'they have a different precision or scale'],
    ['nothing == 1', 'nothing'],
  ])('refuses %s and names an alternative', async (source, reason) => {
    const query = deps.store.read((reader) =>
      runQuery(callerOf(people[0]!), reader, seal, {
        object: 'task',
        fields: ['title'],
        filter: source,
        orderBy: [],
        limit: 5,
      }),
    )
    await expect(query).rejects.toThrow(reason)
  })

  it('refuses a field that the caller cannot read as it refuses one that does not exist', async () => {
    const caller = callerOf({ ...people[1]!, fields: { 'task.title': { read: true } } })
    const query = (request: Partial<QueryRequest>): Promise<unknown> =>
      deps.store.read((reader) =>
        runQuery(caller, reader, seal, {
          object: 'task',
          fields: ['title'],
          orderBy: [],
          limit: 5,
          ...request,
        }),
      )
    await expect(query({ filter: 'cost > 1' })).rejects.toMatchObject({ code: 'expression.invalid' })
    await expect(query({ filter: 'coost > 1' })).rejects.toMatchObject({ code: 'expression.invalid' })
    await expect(query({ orderBy: [{ field: 'cost', dir: 'asc' }] })).rejects.toThrow(
      'task has no field "cost".',
    )
    const { records: found } = (await query({ fields: ['title', 'cost'] })) as {
      records: { fields: object }[]
    }
    for (const { fields } of found) expect(fields).toMatchObject({ cost: null })
  })

  it('refuses the cursor of a different query, of a different user and one that was altered', async () => {
    const caller = callerOf(people[0]!)
    const query = (request: Partial<QueryRequest>, by = caller): Promise<{ nextCursor: string | null }> =>
      deps.store.read((reader) =>
        runQuery(by, reader, seal, { object: 'task', fields: ['title'], orderBy: [], limit: 1, ...request }),
      )
    const { nextCursor } = await query({})
    const cursor = nextCursor!
    await expect(query({ cursor })).resolves.toMatchObject({ nextCursor: expect.any(String) as string })
    await expect(query({ cursor, filter: 'done' })).rejects.toThrow(
      'The cursor does not belong to this query.',
    )
    await expect(query({ cursor }, callerOf(people[1]!))).rejects.toThrow('The cursor does not belong')
    await expect(query({ cursor: `A${cursor.slice(1)}` })).rejects.toThrow('The cursor does not belong')
    await expect(query({ cursor: 'x' })).rejects.toThrow('The cursor does not belong')
  })
})
