// Which entry is found for a key, a scope path and a date (section 2.7 of the specification, rules 1 to 3 and 5).
import type { ErrorCode } from '#kernel/errors/catalogue.ts'
import type { ResolveQuestion } from './data-target.ts'

export interface ResolveCase {
  rule: string
  name: string
  question: ResolveQuestion
  /** The entry with its whole row, or the refusal and what its message names. */
  gives: { entry: string; values: object } | { code: ErrorCode; names: readonly string[] }
}

const everyone = {
  user: 'ann',
  permission_set: ['clerks', 'chiefs'],
  locale: 'de-AT',
  app: 'shop',
  environment: 'test',
}
type Everyone = typeof everyone
const without = (...kinds: (keyof Everyone)[]): object =>
  Object.fromEntries(Object.entries(everyone).filter(([kind]) => !kinds.includes(kind as keyof Everyone)))

const tier = (rule: string, name: string, scope: object, entry: string): ResolveCase => ({
  ...{ rule, name, question: { set: 'tier', scope } },
  gives: {
    entry: `tier.${entry}`,
    values: { name: entry, ...(entry === 'org' ? { extra: 'only here' } : {}) },
  },
})
const vat = (rule: string, name: string, question: object, entry: string, rate: string): ResolveCase => ({
  ...{ rule, name, question: { set: 'vat', scope: {}, ...question } },
  gives: { entry: `vat.${entry}`, values: { rate } },
})
const flag = (rule: string, name: string, scope: object, entry: string, value: boolean): ResolveCase => ({
  ...{ rule, name, question: { set: 'beta', scope } },
  gives: { entry, values: { value } },
})
const refused = (
  rule: string,
  name: string,
  question: ResolveQuestion,
  code: ErrorCode,
  ...names: string[]
): ResolveCase => ({ ...{ rule, name }, question: { scope: {}, ...question }, gives: { code, names } })

const inTest = { environment: 'test' }
/** Without a name, the environment is that of the org, `test`. */
const elsewhere = { environment: 'prod' }

export const resolveCases: readonly ResolveCase[] = [
  // The chain of the set is written in a different order.
  tier('2.7.2', 'the user comes first', everyone, 'ann'),
  tier('2.7.2', 'then the permission set', without('user'), 'chiefs'),
  tier('2.7.2', 'then the locale', without('user', 'permission_set'), 'de_at'),
  tier('2.7.2', 'then the app', { app: 'shop', ...inTest }, 'shop'),
  tier('2.7.2', 'then the environment', inTest, 'test'),
  tier('2.7.2', 'a different user does not match', { ...everyone, user: 'cle' }, 'chiefs'),
  tier(
    '2.7.2',
    'a permission set that is not held does not match',
    { ...elsewhere, permission_set: ['lookers'] },
    'org',
  ),
  tier('2.7.2', 'and org last; a different environment does not match', elsewhere, 'org'),
  tier('2.7.2', 'a different language does not match', { ...elsewhere, locale: 'fr' }, 'org'),
  tier(
    '2.4',
    'of the permission sets, the highest priority wins',
    { permission_set: ['chiefs', 'clerks'] },
    'chiefs',
  ),
  tier('2.4', 'in whichever order they are held', { permission_set: ['clerks', 'chiefs'] }, 'chiefs'),
  tier('2.4', 'and a lower priority, if it is held alone', { permission_set: ['clerks'] }, 'clerks'),
  tier('2.3', 'the longer locale comes before the shorter', { locale: 'de-AT' }, 'de_at'),
  tier('2.3', 'a locale without an entry takes that of its language', { locale: 'de-CH' }, 'de'),
  // `extra` has a value at org alone.
  tier('2.7.2', 'the row is not completed from a less specific one', { locale: 'de' }, 'de'),

  vat('2.7.2', 'the first day of a range counts', { key: 'DE', asOf: '2020-01-01' }, 'de_1', '0.1600'),
  vat('2.7.2', 'the day before its end counts', { key: 'DE', asOf: '2020-12-31' }, 'de_1', '0.1600'),
  vat('2.7.2', 'its end is the first day of the next', { key: 'DE', asOf: '2021-01-01' }, 'de_2', '0.1900'),
  vat('2.7.2', 'an open end has no last day', { key: 'DE', asOf: '9999-12-31' }, 'de_2', '0.1900'),
  vat(
    '2.7.2',
    'the chain applies within a key',
    { key: 'AT', scope: inTest, asOf: '2010-06-01' },
    'at_test',
    '0.1000',
  ),
  vat(
    '2.7.2',
    'a narrower range that has not begun falls through',
    { key: 'AT', scope: inTest, asOf: '2009-12-31' },
    'at',
    '0.2000',
  ),
  vat(
    '2.7.2',
    'a narrower range that has ended falls through',
    { key: 'AT', scope: inTest, asOf: '2011-01-01' },
    'at',
    '0.2000',
  ),
  vat(
    '2.7.2',
    'the entry of one key is never that of a different one',
    { key: 'DE', scope: inTest, asOf: '2020-06-01' },
    'de_1',
    '0.1600',
  ),

  flag('2.5', 'a flag has its default at org', {}, 'beta', false),
  flag('2.5', 'a flag has its scope entries', { app: 'shop' }, 'beta.shop', true),

  refused(
    '2.7.3',
    'a date before the first range is refused',
    { set: 'vat', key: 'DE', asOf: '2019-12-31' },
    'config.not_effective',
    'vat',
    'DE',
    '2019-12-31',
    '2020-01-01',
  ),
  refused(
    '2.7.3',
    'an unknown key is refused',
    { set: 'vat', key: 'FR', asOf: '2020-01-01' },
    'config.unknown_key',
    'vat',
    'FR',
  ),
  refused('2.7.1', 'a keyed set needs its key', { set: 'vat', asOf: '2020-01-01' }, 'config.bad_key', 'vat'),
  refused('2.7.1', 'a singleton set has no key', { set: 'tier', key: 'DE' }, 'config.bad_key', 'tier'),
  refused(
    '2.7.4',
    'a dated set needs a date, which has no default',
    { set: 'vat', key: 'DE' },
    'config.as_of_required',
    'vat',
  ),
  refused('2.7.6', 'an unknown set is refused', { set: 'vatt', key: 'DE' }, 'config.unknown_set', 'vatt'),
]
