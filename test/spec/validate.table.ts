// What validate refuses, one row per case. The finding must contain every one of `names`.
import { calc, chiefs, clerks, dated, entry, fieldOf, flag, plain, plainRow, range, set } from './ground.ts'
import type { SpecRequest } from './target.ts'

export interface ValidateCase {
  /** Section of the specification. */
  section: string
  name: string
  request: SpecRequest
  finding: { code: string; component: string; names: readonly string[] }
}

const refuse = (
  section: string,
  name: string,
  change: readonly object[] | SpecRequest,
  code: string,
  component: string,
  names: readonly string[] = [],
): ValidateCase => ({
  section,
  name,
  request: Array.isArray(change) ? { components: change } : (change as SpecRequest),
  finding: { code, component, names },
})

const without = (component: object, name: string): object => {
  const { body, ...rest } = component as { body: Record<string, unknown> }
  const { [name]: _, ...kept } = body
  return { ...rest, body: kept }
}
const scoped = (...kinds: string[]): readonly object[] => [
  without(
    set('mine', {
      cardinality: 'singleton',
      scopes: [...kinds, 'org'],
      fields: [{ key: 'rate', type: 'number', precision: 6, scale: 4 }],
    }),
    'keyedBy',
  ),
  entry('mine.all', { values: { rate: '1' } }),
]
const reading = 'config.mine.rate * 2'
/** Invoices count the lines that `filter` selects. */
const counting = (filter: string): readonly object[] => {
  const object = (key: string, ...fields: object[]): object => ({
    ...{ type: 'object', key, label: key },
    body: { fields: [{ key: 'due', type: 'date', label: 'Due', required: true }, ...fields] },
  })
  const rollup = { child: 'line', via: 'invoice', op: 'count', filter }
  return [
    object(
      'invoice',
      { key: 'memo', type: 'text', label: 'Memo' },
      { key: 'lines', type: 'number', label: 'Lines', precision: 9, scale: 0, rollup },
    ),
    object('line', {
      key: 'invoice',
      type: 'reference',
      label: 'Invoice',
      references: 'invoice',
      required: true,
    }),
  ]
}
/** A list of prices, of which one field is computed when it is read. */
const listOf = (more: object): readonly object[] => [
  {
    ...{ type: 'object', key: 'price', label: 'Price' },
    body: {
      fields: [
        { key: 'net', type: 'number', precision: 12, scale: 2 },
        { key: 'rate', type: 'number', precision: 12, scale: 4 },
        {
          key: 'twice',
          type: 'number',
          precision: 12,
          scale: 2,
          formula: { expression: 'net * 2', stored: false },
        },
      ],
    },
  },
  { type: 'list_view', key: 'priced', label: 'Priced', body: { object: 'price', columns: ['net'], ...more } },
]
const ruled = (when: string): object => {
  const { body, ...rest } = fieldOf({ expression: '1', stored: false }) as { body: object }
  return { ...rest, body: { ...body, validationRules: [{ key: 'rule', when, message: 'No.' }] } }
}

/** What stored values can read, and what values at read time can (2.7.7 and 2.7.8). */
export const storableCases: readonly [name: string, components: readonly object[]][] = [
  ...['environment', 'app'].map((kind): [string, readonly object[]] => [
    `a stored formula that reads a set by ${kind}`,
    [...scoped(kind), fieldOf({ expression: reading, stored: true })],
  ]),
  ...['user', 'permission_set', 'locale'].map((kind): [string, readonly object[]] => [
    `a virtual formula that reads a set by ${kind}`,
    [...scoped(kind), fieldOf({ expression: reading, stored: false })],
  ]),
  [
    'a roll-up whose filter reads a set by environment',
    [...scoped('environment'), ...counting('config.mine.rate > 0')],
  ],
]

export const validateCases: readonly ValidateCase[] = [
  refuse(
    '7.1',
    'an entry at a scope kind that the set does not declare',
    [
      entry('plain.at', {
        key: 'AT',
        scope: { kind: 'environment', environment: 'test' },
        values: { rate: '0.2' },
      }),
    ],
    'config.scope_not_declared',
    'config_entry/plain.at',
    ['environment'],
  ),
  refuse(
    '7.1',
    'an entry at a scope kind that does not exist',
    [entry('plain.at', { key: 'AT', scope: { kind: 'planet', planet: 'mars' }, values: { rate: '0.2' } })],
    'config.scope_kind',
    'config_entry/plain.at',
    ['planet'],
  ),
  refuse(
    '7.2',
    'a tie of two permission sets',
    [range('a', '2020-01-01', null, clerks), range('b', '2022-01-01', null, chiefs)],
    'config.permission_tie',
    'config_entry/dated.b',
    ['dated.a', 'dated.b'],
  ),
  refuse(
    '7.3',
    'overlapping ranges',
    [range('de_3', '2020-06-01', '2020-07-01')],
    'config.range_overlap',
    'config_entry/dated.de_3',
    ['dated.de_1', 'dated.de_3', '1 Jun 2020'],
  ),
  refuse(
    '7.4',
    'an inner gap',
    [range('de_1', '2020-01-01', '2020-12-01')],
    'config.range_gap',
    'config_entry/dated.de_1',
    ['dated.de_1', 'dated.de_2', 'Dec 2020'],
  ),
  refuse(
    '7.4',
    'an org range that ends with nothing after it',
    [range('de_2', '2021-01-01', '2030-01-01')],
    'config.range_end',
    'config_entry/dated.de_2',
    ['2029'],
  ),
  refuse(
    '7.5',
    'a flag without owner',
    [without(flag('fresh', {}), 'owner')],
    'flag.owner',
    'feature_flag/fresh',
    ['fresh'],
  ),
  refuse(
    '7.5',
    'a flag without expiresOn',
    [without(flag('fresh', {}), 'expiresOn')],
    'flag.expiry',
    'feature_flag/fresh',
    ['fresh'],
  ),
  refuse(
    '7.5',
    'an owner that is not an active principal',
    [flag('fresh', { owner: 'user:ghost' })],
    'flag.owner',
    'feature_flag/fresh',
    ['fresh', 'ghost'],
  ),
  refuse(
    '7.6',
    'a default that is not a boolean',
    [flag('fresh', { default: 'yes' })],
    'flag.default_type',
    'feature_flag/fresh',
    ['fresh'],
  ),
  refuse(
    '7.7',
    'a change to the value of an expired flag',
    [
      flag('old', {
        scopes: ['environment', 'org'],
        expiresOn: '2020-01-31',
        rationale: 'Rollout.',
        default: true,
      }),
    ],
    'flag.frozen',
    'feature_flag/old',
    ['old', '31 Jan 2020'],
  ),
  refuse(
    '7.7',
    'a change to a scope entry of an expired flag',
    [entry('old.test', { scope: { kind: 'environment', environment: 'test' }, values: { value: false } })],
    'flag.frozen',
    'config_entry/old.test',
    ['old'],
  ),
  refuse(
    '7.7',
    'a new scope entry of an expired flag',
    [entry('old.prod', { scope: { kind: 'environment', environment: 'prod' }, values: { value: true } })],
    'flag.frozen',
    'config_entry/old.prod',
    ['old'],
  ),
  refuse(
    '7.7',
    'the removal of a scope entry of an expired flag',
    { removals: ['config_entry/old.test'] },
    'flag.frozen',
    'config_entry/old.test',
    ['old'],
  ),
  refuse(
    '3.1',
    'an extension without a fresh rationale',
    [flag('old', { scopes: ['environment', 'org'], expiresOn: '2099-01-31', rationale: 'Rollout.' })],
    'flag.rationale',
    'feature_flag/old',
    ['31 Jan 2099'],
  ),
  refuse(
    '7.8',
    'a percent sign in a number',
    [plainRow({ rate: '19%' })],
    'config.value_type',
    'config_entry/plain.de',
    ['19%'],
  ),
  refuse(
    '7.8',
    'more digits after the point than the scale',
    [plainRow({ rate: '0.12345' })],
    'config.value_scale',
    'config_entry/plain.de',
    ['0.12345', '4'],
  ),
  refuse(
    '7.8',
    'more digits before the point than the precision',
    [plainRow({ rate: '123.4' })],
    'config.value_precision',
    'config_entry/plain.de',
    ['123.4'],
  ),
  refuse(
    '7.8',
    'a value outside of its enum',
    [plainRow({ band: 'lo' })],
    'config.value_enum',
    'config_entry/plain.de',
    ['lo', 'low'],
  ),
  refuse(
    '7.8',
    'a required value that is missing',
    [entry('plain.de', { key: 'DE', values: {} })],
    'config.value_required',
    'config_entry/plain.de',
    ['rate'],
  ),
  refuse(
    '7.8',
    '30 February',
    [plainRow({ since: '2023-02-30' })],
    'config.value_type',
    'config_entry/plain.de',
    ['2023-02-30'],
  ),
  refuse(
    '7.8',
    'a text where a boolean belongs',
    [plainRow({ on: 'yes' })],
    'config.value_type',
    'config_entry/plain.de',
    ['on'],
  ),
  refuse(
    '7.9',
    'an asOfField that does not exist',
    [{ ...dated, body: { ...(dated as { body: object }).body, asOfField: 'invoice.dew' } }],
    'config.as_of_field',
    'config_set/dated',
    ['invoice', 'dew'],
  ),
  refuse(
    '7.9',
    'an asOfField that is not temporal',
    [{ ...dated, body: { ...(dated as { body: object }).body, asOfField: 'invoice.memo' } }],
    'config.as_of_field',
    'config_set/dated',
    ['memo'],
  ),
  refuse(
    '2.2',
    'a secret-typed field',
    [plain({ fields: [{ key: 'token', type: 'secret' }] })],
    'config.secret_type',
    'config_set/plain',
    [],
  ),
  refuse(
    '2.2',
    'a chain without org',
    [plain({ scopes: ['environment'] })],
    'config.org_scope_missing',
    'config_set/plain',
    ['org'],
  ),
  refuse(
    '2.7.6',
    'an unknown field name in an expression',
    [calc('taxed', 'x * config.plain("DE").rte')],
    'expr.unknown_name',
    'calc_function/taxed',
    ['rte', 'rate'],
  ),
  refuse(
    '2.7.6',
    'an unknown set in an expression',
    [calc('taxed', 'x * config.plane("DE").rate')],
    'expr.unknown_name',
    'calc_function/taxed',
    ['plane', 'plain'],
  ),
  refuse(
    '2.7.7',
    'a stored formula that reads a viewer-dependent set',
    [...scoped('user'), fieldOf({ expression: reading, stored: true })],
    'expr.viewer_dependent',
    'object/order',
    ['mine', 'user'],
  ),
  ...['permission_set', 'locale'].map((kind) =>
    refuse(
      '2.7.7',
      `a stored formula that reads a set by ${kind}`,
      [...scoped(kind), fieldOf({ expression: reading, stored: true })],
      'expr.viewer_dependent',
      'object/order',
      ['mine', kind],
    ),
  ),
  refuse(
    '2.7.7',
    'a roll-up whose filter reads a viewer-dependent set',
    [...scoped('user'), ...counting('config.mine.rate > 0')],
    'expr.viewer_dependent',
    'object/invoice',
    ['mine', 'user'],
  ),
  refuse(
    '2.5',
    'a stored formula that reads a flag by user',
    [flag('mine', { scopes: ['user', 'org'] }), fieldOf({ expression: 'flag.mine ? 1 : 2', stored: true })],
    'expr.viewer_dependent',
    'object/order',
    ['mine', 'user'],
  ),
  refuse(
    '2.7.7',
    'a stored formula that reads a viewer-dependent set through a function',
    [
      ...scoped('user'),
      calc('taxed', 'x * config.mine.rate'),
      fieldOf({ expression: 'taxed(1)', stored: true }),
    ],
    'expr.viewer_dependent',
    'object/order',
    ['mine', 'user'],
  ),
  refuse(
    '2.7.4',
    'a formula that reads a clock',
    [fieldOf({ expression: 'daysBetween(due, today())', stored: true })],
    'expr.forbidden_call',
    'object/order',
    ['today', 'clock'],
  ),
  refuse(
    '7',
    'a network call in a formula',
    [fieldOf({ expression: 'callout("rates", "GET")', stored: true })],
    'expr.forbidden_call',
    'object/order',
    ['network'],
  ),
  refuse(
    '7',
    'a network call in a validation rule',
    [ruled('callout("rates", "GET") == 1')],
    'expr.forbidden_call',
    'object/order',
    ['network'],
  ),
  refuse(
    '7',
    'the removal of a flag that logic reads',
    { components: [calc('taxed', 'flag.beta ? x : x * 2')], removals: ['feature_flag/beta'] },
    'deploy.still_referenced',
    'feature_flag/beta',
    ['calc_function/taxed'],
  ),
  refuse(
    '2.7.9',
    'the removal of the last entry of a key that logic names',
    { removals: ['config_entry/plain.de'] },
    'deploy.still_referenced',
    'config_entry/plain.de',
    ['calc_function/taxed', 'DE'],
  ),
  refuse(
    '2.7.9',
    'the removal of a set that logic still reads',
    { removals: ['config_set/plain', 'config_entry/plain.de'] },
    'deploy.still_referenced',
    'config_set/plain',
    ['calc_function/taxed'],
  ),
  refuse(
    '7',
    'the removal of a set whose entries remain',
    { removals: ['config_set/dated'] },
    'deploy.still_referenced',
    'config_set/dated',
    ['config_entry/dated.de_1', 'config_entry/dated.de_2'],
  ),
  refuse(
    '7',
    'the removal of a permission set that grants',
    { removals: ['permission_set/administrator'] },
    'deploy.still_referenced',
    'permission_set/administrator',
    ['config_set/plain', 'feature_flag/beta'],
  ),
  ...[
    ['an order by a virtual formula', { orderBy: [{ field: 'twice', dir: 'desc' }] }],
    ['a filter by a virtual formula', { filter: 'twice > 1' }],
    ['a filter that compares numbers of different scales', { filter: 'net > rate' }],
  ].map(([name, body]) =>
    refuse(
      '4.1',
      `a list view with ${name as string}`,
      listOf(body as object),
      'expr.not_pushed_down',
      'list_view/priced',
    ),
  ),
]
