// Drift: what differs between two imports, in words.
import { describe, expect, it } from 'vitest'
import { nobleSha256 } from '#kernel/change/sha256.ts'
import { changed, describing, importJson, jsonResponse, ledger } from '../fixture.ts'
import { changeInWords, findDrift, type OperationDrift } from './drift.ts'

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- descriptions are changed in any place
type Any = any

const driftOf = (before: unknown, after: unknown): OperationDrift[] =>
  findDrift(importJson(before), importJson(after), nobleSha256)

function wordsOf(drift: readonly OperationDrift[]): Record<string, string[]> {
  return Object.fromEntries(
    drift.map((each) => [each.name, each.kind === 'changed' ? each.changes.map(changeInWords) : [each.kind]]),
  )
}

const entries = (copy: Any): Any => copy.paths['/entries']
const entry = (copy: Any): Any => copy.components.schemas.Entry
const inEntry = (what: string): Record<string, string[]> => ({
  createEntry: [`request body ${what}`, `response 201 ${what}`],
  listEntries: [`response 200[] ${what}`],
})

const cases: [string, (copy: Any) => void, Record<string, string[]>][] = [
  [
    'a new operation',
    (copy) => (entries(copy).delete = { operationId: 'clear', responses: {} }),
    { clear: ['added'] },
  ],
  [
    'an operation that is gone',
    (copy) => delete copy.paths['/accounts/{id}'],
    { 'GET /accounts/{id}': ['removed'] },
  ],
  [
    'a different path',
    (copy) => {
      copy.paths['/v2/entries'] = { post: entries(copy).post }
      delete entries(copy).post
    },
    { createEntry: ['operation: path /entries → /v2/entries'] },
  ],
  [
    'a different method',
    (copy) => {
      entries(copy).put = entries(copy).post
      delete entries(copy).post
    },
    { createEntry: ['operation: method POST → PUT'] },
  ],
  [
    'a new parameter',
    (copy) => entries(copy).get.parameters.push({ name: 'from', in: 'query', required: true, schema: {} }),
    { listEntries: ['parameter from (query): parameter added: required'] },
  ],
  [
    'a parameter that is gone',
    (copy) => entries(copy).get.parameters.shift(),
    { listEntries: ['parameter limit (query): parameter removed: optional'] },
  ],
  [
    'a parameter that becomes required',
    (copy) => (entries(copy).get.parameters[0].required = true),
    { listEntries: ['parameter limit (query): required false → true'] },
  ],
  [
    'a parameter that is written differently',
    (copy) => (entries(copy).get.parameters[1].explode = false),
    { listEntries: ['parameter tag (query): explode true → false'] },
  ],
  [
    'a limit of a parameter',
    (copy) => (entries(copy).get.parameters[0].schema.maximum = 50),
    { listEntries: ['parameter limit (query): maximum 100 → 50'] },
  ],
  [
    'a body that becomes optional',
    (copy) => (entries(copy).post.requestBody.required = false),
    { createEntry: ['request body: required true → false'] },
  ],
  [
    'a body that is gone',
    (copy) => delete entries(copy).post.requestBody,
    { createEntry: ['request body: body removed: required'] },
  ],
  [
    'a new media type',
    (copy) => (entries(copy).post.requestBody.content['text/csv'] = {}),
    { createEntry: ['request body: media type added: text/csv'] },
  ],
  [
    'a new status',
    (copy) => (entries(copy).post.responses[404] = jsonResponse({})),
    { createEntry: ['response 404: response added: application/json'] },
  ],
  [
    'a new member',
    (copy) => (entry(copy).properties.note = { type: 'string' }),
    inEntry('/note: member added: string'),
  ],
  [
    'a member that is gone',
    (copy) => delete entry(copy).properties.booked,
    inEntry('/booked: member removed: string (date)'),
  ],
  [
    'a different type',
    (copy) => (entry(copy).properties.amount.type = 'string'),
    inEntry('/amount: type number → string'),
  ],
  [
    'a type that allows null',
    (copy) => (entry(copy).properties.booked.type = ['string', 'null']),
    inEntry('/booked: type string → null, string'),
  ],
  [
    'a different format',
    (copy) => (entry(copy).properties.booked.format = 'date-time'),
    inEntry('/booked: format date → date-time'),
  ],
  [
    'a new value',
    (copy) => entry(copy).properties.currency.enum.push('USD'),
    inEntry('/currency: enum added: USD'),
  ],
  [
    'a pattern',
    (copy) => (entry(copy).properties.currency.pattern = '^[A-Z]+$'),
    inEntry('/currency: pattern added: ^[A-Z]+$'),
  ],
  [
    'a member that is read-only',
    (copy) => (entry(copy).properties.amount.readOnly = true),
    inEntry('/amount: readOnly added: true'),
  ],
  [
    'a new required member',
    (copy) => entry(copy).required.push('booked'),
    {
      createEntry: ['request body: required added: booked', 'response 201: required added: booked'],
      listEntries: ['response 200[]: required added: booked'],
    },
  ],
  [
    'no further members',
    (copy) => (entry(copy).additionalProperties = false),
    {
      createEntry: ['request body /*: schema added: no value', 'response 201 /*: schema added: no value'],
      listEntries: ['response 200[] /*: schema added: no value'],
    },
  ],
  [
    'a member in a circle',
    (copy) => (copy.components.schemas.Account.properties.name.maxLength = 20),
    {
      'GET /accounts/{id}': ['response 200 /name: maxLength 40 → 20'],
      ...inEntry('/account/name: maxLength 40 → 20'),
    },
  ],
]

it.each(cases)('names %s', (_, change, words) => {
  expect(wordsOf(driftOf(ledger, changed(ledger, change)))).toEqual(words)
})

it.each(cases)('names %s in the opposite direction too', (_, change, words) => {
  expect(Object.keys(wordsOf(driftOf(changed(ledger, change), ledger)))).toEqual(Object.keys(words).sort())
})

it('gives both signatures in words', () => {
  const [drift] = driftOf(
    ledger,
    changed(ledger, (copy) => (entries(copy).get.parameters[0].schema.type = 'string')),
  )
  expect(drift).toMatchObject({
    before: 'listEntries(limit?: number, tag?: list of text) → list of Entry',
    after: 'listEntries(limit?: text, tag?: list of text) → list of Entry',
  })
})

describe('no drift', () => {
  const choice = (...choices: unknown[]): unknown => describing({ oneOf: choices })
  const [text, number, list] = [{ type: 'string' }, { type: 'number' }, { type: 'array', items: {} }]

  it('comes from the order of choices', () => {
    expect(driftOf(choice(text, number, list), choice(list, text, number))).toEqual([])
  })

  it('comes from a circle that is written out once', () => {
    const tree = (child: unknown): unknown => ({ type: 'object', properties: { child } })
    const circle = { $ref: '#/components/schemas/A' }
    expect(
      driftOf(describing(circle, { A: tree(circle) }), describing(tree(circle), { A: tree(circle) })),
    ).toEqual([])
  })
})

it('compares a new choice with none of the others', () => {
  const drift = driftOf(
    describing({ oneOf: [{ type: 'number' }] }),
    describing({ oneOf: [{ type: 'string' }, { type: 'number' }] }),
  )
  expect(wordsOf(drift)).toEqual({ get: ['response 200 (oneOf 1): schema added: string'] })
})

it('names at most 100 changes of an operation, and reports that there are more', () => {
  const wide = (type: string): unknown =>
    describing({
      properties: Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`p${at}`, { type }])),
    })
  const [drift] = driftOf(wide('string'), wide('number'))
  expect(drift).toMatchObject({ kind: 'changed', more: true })
  expect((drift as Extract<OperationDrift, { kind: 'changed' }>).changes).toHaveLength(100)
})

it('compares chains that are longer than any stack', () => {
  const chain = (end: unknown): unknown =>
    describing(
      { $ref: '#/components/schemas/N0' },
      {
        ...Object.fromEntries(
          Array.from({ length: 20_000 }, (_, at) => [
            `N${at}`,
            { properties: { n: { $ref: `#/components/schemas/N${at + 1}` } } },
          ]),
        ),
        N20000: end,
      },
    )
  const [drift] = driftOf(chain({ type: 'string' }), chain({ type: 'number' }))
  expect(drift).toMatchObject({
    kind: 'changed',
    changes: [{ what: 'type', before: 'string', after: 'number' }],
  })
})
