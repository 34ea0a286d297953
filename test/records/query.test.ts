// A query returns what its filter is true for, in its order, page by page, of the records that the caller can see: compared
// with an evaluation of each record.
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { compileExpression, compareValues, exprValueFromField, libraryOf } from '#kernel/expr/index.ts'
import { viewValues, type RecordView } from '#kernel/records/index.ts'
import { evaluateForRecord } from '../../server/kernel/records/index.ts'
import type { StoredRecord } from '../../server/ports/record-store.ts'
import { createCursorSeal } from '../../server/records/query/cursor-seal.ts'
import { runQuery, type QueryRequest } from '../../server/records/query/run-query.ts'
import type { RecordCaller } from '../../server/records/read/record-caller.ts'
import type { Person } from './access.ts'
import { differing, fieldNames, filter, orders, queryOrg, type QueryOrg } from './query-org.ts'

const runs = Number(process.env['ALMANAC_RUNS'] ?? 300)

const seal = createCursorSeal(() => Buffer.alloc(32, 7))

let org: QueryOrg
beforeAll(async () => {
  org = await queryOrg()
})

const view = (record: StoredRecord): RecordView =>
  viewValues('task', record.values, org.present, (id) => org.loaded.get(id))

const seesAll = { read: true, viewAll: true }

const people: Person[] = [
  { user: 'root', platformRoot: true },
  ...['eve', 'bob'].flatMap((user) =>
    [[], ['viewers'], ['leads'], ['viewers', 'leads']].map((permissionSets) => ({
      ...{ user, permissionSets },
      objects: { task: { read: true }, team: { read: true } },
      fields: Object.fromEntries(fieldNames.map((name) => [name, { read: true }])),
    })),
  ),
]
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
      if (field === 'id') return (a.id < b.id ? -1 : 1) * (dir === 'asc' ? 1 : -1)
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
    org.present.view,
    'boolean',
    libraryOf(org.present.view),
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
  const program = { program: compiled.program, paths: [], readsInputs: false, isBound: false }
  return org.tasks
    .filter((record) => access.rowAccess(view(record)) !== 'none')
    .filter(
      (record) =>
        evaluateForRecord({ snapshot: org.present, scopePath: {} }, program, seen(view(record)), {
          id: record.id,
        }) === true,
    )
    .sort(compareBy(caller, orderBy))
    .map(({ id }) => id)
}

async function allPages(
  caller: RecordCaller,
  request: Omit<QueryRequest, 'object' | 'fields'>,
  { deps } = org,
): Promise<string[]> {
  const ids: string[] = []
  let cursor: string | undefined
  do {
    const page = await deps.store.read((reader) =>
      runQuery(caller, reader, { seal }, { ...request, object: 'task', fields: ['title'], cursor }),
    )
    expect(page.records.length).toBeLessThanOrEqual(request.limit)
    ids.push(...page.records.map(({ id }) => id))
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  return ids
}

/** An error without the name of its field, and the name that it suggests. */
function plainly(outcome: unknown, path: string): { message: string; suggested: string | undefined } {
  if (typeof outcome !== 'string') throw new Error(`A query of ${path} was answered.`)
  const [message = '', suggested] = outcome.split(' Did you mean "')
  return { message: message.replaceAll(path.split('.').at(-1)!, '…'), suggested: suggested?.split('"')[0] }
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
          const caller = org.callerOf(person)
          expect(await allPages(caller, { filter: source, orderBy, limit })).toEqual(
            expected(caller, source, orderBy),
          )
        },
      ),
      { numRuns: runs },
    )
  }, 1_800_000)

  it('counts the visible records for which its filter is true, up to a number', async () => {
    await fc.assert(
      fc.asyncProperty(
        filter,
        fc.constantFrom(...people),
        fc.constantFrom(1, 20, 10_000),
        async (source, person, countTo) => {
          const caller = org.callerOf(person)
          const request = { object: 'task', fields: ['title'], filter: source, orderBy: [], limit: 1 }
          const { totalEstimate } = await org.deps.store.read((reader) =>
            runQuery(caller, reader, { seal }, { ...request, countTo }),
          )
          expect(totalEstimate).toBe(Math.min(expected(caller, source, []).length, countTo))
        },
      ),
      { numRuns: runs },
    )
  }, 300_000)

  it.each([
    ['late', 'Store the formula of task.late.'],
    ['cost * 2 > 3', 'A filter cannot use arithmetic over fields. Store a formula'],
    ['title.trim() == "a"', 'A filter cannot use trim(…) of a field.'],
    ['cost > huge', 'they have a different precision or scale'],
    ['nothing == 1', 'nothing'],
  ])('refuses %s and names an alternative', async (source, reason) => {
    const query = org.deps.store.read((reader) =>
      runQuery(
        org.callerOf(people[0]!),
        reader,
        { seal },
        {
          object: 'task',
          fields: ['title'],
          filter: source,
          orderBy: [],
          limit: 5,
        },
      ),
    )
    await expect(query).rejects.toThrow(reason)
  })

  it('refuses a field that the caller cannot read as it refuses one that does not exist', async () => {
    const caller = org.callerOf({ ...people[1]!, fields: { 'task.title': { read: true } } })
    const query = (request: Partial<QueryRequest>): Promise<unknown> =>
      org.deps.store.read((reader) =>
        runQuery(
          caller,
          reader,
          { seal },
          {
            object: 'task',
            fields: ['title'],
            orderBy: [],
            limit: 5,
            ...request,
          },
        ),
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

  it.each([
    [['task.cost', 'task.twice', 'task.late']],
    [['task.title', 'task.huge', 'task.done', 'team.size']],
    [['task.due', 'task.seen', 'task.budget', 'task.late', 'team.name']],
    [['task.team']],
  ])('finds out nothing about the hidden fields %j', async (hidden) => {
    const teams = new Map([...org.loaded.values()].map(({ id }, at) => [id, at]))
    const other = await queryOrg((object, values) =>
      Object.fromEntries(
        Object.entries(values).map(([key, value]) => [
          key,
          hidden.includes(`${object}.${key}`) ? differing(key, value, [...teams.keys()]) : value,
        ]),
      ),
    )
    const reader: Person = {
      ...{ user: 'ann', objects: { task: seesAll, team: seesAll } },
      fields: Object.fromEntries(
        fieldNames.filter((name) => !hidden.includes(name)).map((name) => [name, { read: true }]),
      ),
    }
    const outcome = async (
      of: QueryOrg,
      request: Omit<QueryRequest, 'object' | 'fields'>,
    ): Promise<unknown> => allPages(of.callerOf(reader), request, of).catch(({ message }: Error) => message)
    let answered = 0
    await fc.assert(
      fc.asyncProperty(filter, orders, async (source, orderBy) => {
        const request = { filter: source, orderBy, limit: 500 }
        const mine = await outcome(org, request)
        expect(await outcome(other, request)).toEqual(mine)
        answered += Array.isArray(mine) ? 1 : 0
      }),
      { numRuns: Math.ceil(runs / 4) },
    )
    expect(answered).toBeGreaterThan(0)
    // The error is that of a field that does not exist, and suggests no hidden field.
    for (const name of hidden) {
      const path = name.replace('task.', '')
      const invented = path.replace(/\w$/, 'q')
      for (const requestOf of [
        (field: string) => ({ filter: `present(${field})`, orderBy: [], limit: 5 }),
        (field: string) => ({ orderBy: [{ field, dir: 'asc' as const }], limit: 5 }),
      ]) {
        const [known, unknown] = [
          plainly(await outcome(org, requestOf(path)), path),
          plainly(await outcome(org, requestOf(invented)), invented),
        ]
        expect(known.message).toBe(unknown.message)
        for (const { suggested } of [known, unknown])
          expect(hidden.map((each) => each.split('.')[1])).not.toContain(suggested)
      }
    }
  })

  it('refuses the cursor of a different query, of a different user and one that was altered', async () => {
    const caller = org.callerOf(people[0]!)
    const query = (request: Partial<QueryRequest>, by = caller): Promise<{ nextCursor: string | null }> =>
      org.deps.store.read((reader) =>
        runQuery(
          by,
          reader,
          { seal },
          { object: 'task', fields: ['title'], orderBy: [], limit: 1, ...request },
        ),
      )
    const { nextCursor } = await query({})
    const cursor = nextCursor!
    await expect(query({ cursor })).resolves.toMatchObject({ nextCursor: expect.any(String) as string })
    await expect(query({ cursor, filter: 'done' })).rejects.toThrow(
      'The cursor does not belong to this query.',
    )
    await expect(query({ cursor }, org.callerOf(people[1]!))).rejects.toThrow('The cursor does not belong')
    await expect(
      query({ cursor: `${cursor.startsWith('A') ? 'B' : 'A'}${cursor.slice(1)}` }),
    ).rejects.toThrow('The cursor does not belong')
    await expect(query({ cursor: 'x' })).rejects.toThrow('The cursor does not belong')
  })
})
