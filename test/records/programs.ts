// What random programs of saves send.
import fc from 'fast-check'

export type Values = Readonly<Record<string, unknown>>

export const idOf = (n: number): string => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`

/** Ids in their order, as both sides make them. */
export function idsFrom(start: number): () => string {
  let last = start
  return () => idOf((last += 1))
}

/** A place among the records that exist; past the last one, an id of no record. */
const place = fc.nat({ max: 30 })
/** Mostly valid values, and a few that are refused. */
const mostly = <T>(valid: readonly T[], ...refused: readonly T[]): fc.Arbitrary<T> =>
  fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(...valid) },
    ...(refused.length === 0 ? [] : [{ weight: 1, arbitrary: fc.constantFrom(...refused) }]),
  )
const amount = mostly<string | null>(['0', '10.00', '99.99', '1234.50', null], '-1.00', '9999999999.99')
const date = mostly<string | null>(
  ['2020-06-30', '2020-07-01', '2021-01-01', '2022-05-05'],
  '1999-01-01',
  null,
)

const customerValues = fc.record({
  name: mostly<string | null>(['Ada', 'Bob'], null),
  country: mostly(['DE', 'AT'], 'XX'),
})
const invoiceValues = fc.record(
  {
    number: fc.nat({ max: 40 }).map((n) => `R-${n}`),
    customer: fc.oneof({ weight: 3, arbitrary: fc.constant('customer') }, place, fc.constant(null)),
    tax_point: date,
    state: mostly<string | null>(['open', 'paid', null], 'lost'),
    net: amount,
    reminder: amount,
  },
  { requiredKeys: ['number', 'tax_point'] },
)
const lineValues = fc.record(
  { invoice: fc.oneof({ weight: 4, arbitrary: fc.constant('invoice') }, place), weight: amount },
  { requiredKeys: ['invoice'] },
)
/** A property that a request must not send, or a second name. */
export const spoiled = fc.oneof(
  { weight: 20, arbitrary: fc.constant({}) },
  fc.constantFrom({ extra: 'unknown' }, { tax: '1.00' }, { amount: '7.00' }),
)
export const values = fc.oneof(
  fc.tuple(fc.constant('customer' as const), customerValues),
  fc.tuple(fc.constant('invoice' as const), invoiceValues),
  fc.tuple(fc.constant('line' as const), lineValues),
)

/** Most values of an update are left out, so that most updates are valid. */
export const part = (all: Values, kept: readonly boolean[]): Values =>
  Object.fromEntries(Object.entries(all).filter((_, at) => kept[at % kept.length]))

export const kept = fc.array(fc.boolean(), { minLength: 3, maxLength: 7 })
