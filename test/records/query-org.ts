// Teams and tasks of random values, and random filters and orders over them.
import fc from 'fast-check'
import type { RecordSnapshot } from '#kernel/records/index.ts'
import { Generations } from '../../server/kernel/records/fixture.ts'
import type { StoredRecord } from '../../server/ports/record-store.ts'
import type { RecordCaller } from '../../server/records/read/record-caller.ts'
import { runSaves, type RecordDeps } from '../../server/records/index.ts'
import { createMemoryRecordStore } from '../../server/storage/sqlite/records/open-record-store.ts'
import { accessOf, rootAccess, type Person } from './access.ts'

export const bodies = {
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

export const fieldNames = Object.entries(bodies).flatMap(([id, { fields }]) =>
  fields.map(({ key }) => `${id.split('/')[1]}.${key}`),
)

const idOf = (n: number): string => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`

const texts = ['', 'a', 'ab', 'b', 'B', 'ä', '😀', 'a😀b']
const costs = ['0.00', '-1.50', '2.00', '2.50', '999.99']
const huges = ['0.0000', '-12345678901234567890.5000', '99999999999999999999999999.9999', '1.0000']
const dates = ['2020-01-01', '2021-06-30', '2024-02-29']
const instants = ['2020-01-01T00:00:00Z', '2020-01-01T00:00:00.5Z', '2021-01-01T12:00:00Z']

export interface QueryOrg {
  deps: RecordDeps
  present: RecordSnapshot
  tasks: StoredRecord[]
  /** Teams and tasks. */
  loaded: Map<string, StoredRecord>
  callerOf(person: Person): RecordCaller
}

type Values = Record<string, unknown>

/** @param altered the values that are saved instead: two orgs that differ in nothing else have the same ids */
export async function queryOrg(
  altered: (object: string, values: Values) => Values = (_, values) => values,
): Promise<QueryOrg> {
  const generations = new Generations()
  const present = generations.add(bodies)
  let id = 0
  const loaded = new Map<string, StoredRecord>()
  const deps: RecordDeps = {
    store: createMemoryRecordStore(),
    snapshots: { active: () => present, at: (generation) => generations.at(generation) },
    clock: { now: () => '2026-01-01T00:00:00.000Z', today: () => '2026-01-01' },
    ids: { uuid: () => idOf((id += 1)) },
  }
  const save = async (object: string, values: Values): Promise<StoredRecord> => {
    const [outcome] = await runSaves(deps, {
      ...{ generation: 1, actor: 'ada', access: rootAccess(present), correlationId: 'c', scopePath: {} },
      ...{ allOrNone: true, items: [{ op: 'insert', object, values: altered(object, values) }] },
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
  const tasks: StoredRecord[] = []
  for (const values of random) tasks.push(await save('task', values))
  return {
    ...{ deps, present, tasks, loaded },
    callerOf: (person) => ({ present, scopePath: {}, access: accessOf(person, present) }),
  }
}

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
    .tuple(
      fc.constantFrom('', '.lower()', '.upper()'),
      fc.constantFrom('startsWith', 'endsWith', 'contains'),
      fc.constantFrom(...texts),
    )
    .map(([letterCase, test, text]) => `title${letterCase}.${test}(${quoted(text)})`),
  fc
    .tuple(
      fc.constantFrom('title', 'team.name'),
      fc.constantFrom('lower', 'upper'),
      operator,
      fc.constantFrom(...texts),
    )
    .map(([field, letterCase, op, text]) => `${field}.${letterCase}() ${op} ${quoted(text)}.${letterCase}()`),
  fc
    .tuple(operator, fc.integer({ min: 0, max: 130 }).map(idOf))
    .map(([op, id]) =>
      op === '==' || op === '!=' ? `id ${op} ${quoted(id)}` : `id in [${quoted(id)}, ${quoted(idOf(40))}]`,
    ),
  fc.constantFrom(
    `id == ${quoted('x')}`,
    'id in []',
    'present(id)',
    `id.startsWith(${quoted(idOf(9).slice(0, -1))})`,
  ),
  fc.constantFrom('title.lower() in ["a", "ä", "ab"]', 'title.lower() == owner.lower()'),
  fc.tuple(operator, fc.constantFrom(...instants)).map(([op, moment]) => `seen ${op} datetime("${moment}")`),
  fc.tuple(operator, fc.constantFrom(...dates)).map(([op, date]) => `seen ${op} datetime(date("${date}"))`),
)
export const { filter } = fc.letrec<{ filter: string }>((tie) => ({
  filter: fc.oneof(
    { depthSize: 'small' },
    atom,
    tie('filter').map((of) => `!(${of})`),
    fc
      .tuple(tie('filter'), fc.constantFrom('&&', '||'), tie('filter'))
      .map(([a, op, b]) => `(${a} ${op} ${b})`),
  ),
}))
export const orders = fc.array(
  fc.record({
    field: fc.constantFrom(
      'title',
      'cost',
      'huge',
      'due',
      'seen',
      'done',
      'twice',
      'team.name',
      'team.size',
      'id',
    ),
    dir: fc.constantFrom('asc' as const, 'desc' as const),
  }),
  { maxLength: 3 },
)

/** A different value of the same field; `teams` are the ids of teams. */
export function differing(field: string, value: unknown, teams: readonly string[]): unknown {
  if (field === 'team') return value === null ? teams[0] : null
  if (typeof value === 'boolean') return !value
  if (value !== null) return null
  return { title: 'a', cost: '2.00', budget: '999.99', huge: '1.0000', size: '9' }[field] ?? null
}
