// Random rows, filters and orders over the object of the fixture.
import fc from 'fast-check'
import type { PeerRow } from './peer.ts'

const names = ['Ada', 'ada', "O'Hara", 'Ärger', 'a b', '', 'Zoë Ada']
const days = ['2025-12-31', '2026-01-01', '2026-01-02', '2024-02-29']
const moments = [
  '2025-12-31T23:59:59Z',
  '2026-01-01T00:00:00Z',
  '2026-01-01T12:30:00.5Z',
  '2024-02-29T10:00:00Z',
]
const members = ['Draft', 'Sent', 'Paid']
const batches = ['0f8fad5b-d9cb-469f-a165-70867728950e', '7c9e6679-7425-40de-944b-e07fc1f90ae7']

const sometimes = <T>(of: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(of, { freq: 4 })

/** Quarters, which a double adds and multiplies exactly, as the peer's numbers are doubles. */
const quarter = fc.integer({ min: -40, max: 40 }).map((n) => n / 4)

export const randomRow: fc.Arbitrary<Omit<PeerRow, 'Id'>> = fc.record({
  Name: sometimes(fc.constantFrom(...names)),
  City: sometimes(fc.constantFrom(...names)),
  Amount: sometimes(quarter),
  Pieces: sometimes(fc.integer({ min: -5, max: 5 })),
  Weight: sometimes(quarter),
  Placed: sometimes(fc.constantFrom(...days)),
  SentAt: sometimes(fc.constantFrom(...moments)),
  Open: sometimes(fc.boolean()),
  Status: sometimes(fc.constantFrom(...members)),
  Batch: sometimes(fc.constantFrom(...batches)),
  Version: sometimes(fc.integer({ min: 0, max: 9 })),
}) as fc.Arbitrary<Omit<PeerRow, 'Id'>>

export const randomRows: fc.Arbitrary<PeerRow[]> = fc
  .array(randomRow, { maxLength: 12 })
  .map((rows) => rows.map((row, at) => ({ ...row, Id: `r${at}` }) as PeerRow))

const literal = (text: string): string => JSON.stringify(text)
const text = fc.oneof(
  fc.constantFrom(
    'name',
    'city',
    'name.lower()',
    'city.trim().upper()',
    '(name + city)',
    'name.substring(1)',
  ),
  fc.constantFrom('name.substring(0, 2)', 'city.substring(2, 1)'),
)
const number = fc.letrec<{ number: string }>((tie) => ({
  number: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom('amount', 'pieces', 'version_no', 'floor(amount)', 'ceil(amount)', 'name.size()'),
    quarter.map((n) => `(${n})`),
    fc.constantFrom('year(placed)', 'month(placed)', 'day(placed)'),
    fc
      .tuple(tie('number'), fc.constantFrom('+', '-', '*'), tie('number'))
      .map(([a, operator, b]) => `(${a} ${operator} ${b})`),
    tie('number').map((a) => `(-${a})`),
  ),
})).number

const comparison = fc.constantFrom('==', '!=', '<', '<=', '>', '>=')
const equality = fc.constantFrom('==', '!=')
const compared = (left: fc.Arbitrary<string>, operator: fc.Arbitrary<string>, right: fc.Arbitrary<string>) =>
  fc.tuple(left, operator, right).map((parts) => parts.join(' '))

const day = fc.constantFrom(...days).map((each) => `date(${literal(each)})`)
const moment = fc.constantFrom(...moments).map((each) => `datetime(${literal(each)})`)
const name = fc.constantFrom(...names).map(literal)

const condition = fc.oneof(
  compared(number, comparison, number),
  compared(text, equality, fc.oneof(name, text)),
  fc
    .tuple(text, fc.constantFrom('contains', 'startsWith', 'endsWith'), fc.oneof(name, text))
    .map(([of, test, what]) => `${of}.${test}(${what})`),
  compared(fc.constant('placed'), comparison, day),
  compared(day, comparison, fc.constant('placed')),
  compared(fc.constant('sent_at'), comparison, moment),
  compared(fc.constant('date(sent_at)'), comparison, day),
  compared(fc.constant('status'), equality, fc.constantFrom(...members).map(literal)),
  compared(fc.constant('batch_no'), equality, fc.constantFrom(...batches, 'x').map(literal)),
  compared(fc.constant('weight'), comparison, quarter.map(String)),
  fc.constantFrom('open', '!open', 'open == true', 'open != false'),
  fc
    .constantFrom('name', 'amount', 'open', 'sent_at', 'status', 'amount * pieces', 'name + city')
    .map((of) => `present(${of})`),
  fc.array(quarter, { minLength: 1, maxLength: 3 }).map((items) => `amount in [${items.join(', ')}]`),
  fc.array(name, { minLength: 1, maxLength: 3 }).map((items) => `name in [${items.join(', ')}]`),
  fc.constant('amount in [pieces, version_no]'),
)

export const randomFilter: fc.Arbitrary<string> = fc.letrec<{ filter: string }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 4 },
    condition,
    fc
      .tuple(tie('filter'), fc.constantFrom('&&', '||'), tie('filter'))
      .map(([a, operator, b]) => `(${a}) ${operator} (${b})`),
    tie('filter').map((of) => `!(${of})`),
  ),
})).filter

const sortable = ['amount', 'pieces', 'weight', 'placed', 'sent_at', 'open', 'version_no', 'id_text'] as const

export const randomOrder = fc.uniqueArray(
  fc.record({ field: fc.constantFrom(...sortable), dir: fc.constantFrom('asc' as const, 'desc' as const) }),
  { maxLength: 3, selector: ({ field }) => field },
)
