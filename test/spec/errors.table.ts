// Errors of requests (section 7 of the specification). What validate refuses is in validate.table.ts, limits of clients in
// test/http/rate-limits.test.ts, and the use of a removed field in test/http/field-use.test.ts.
import { errorCatalogue, type ErrorCode } from '#kernel/errors/catalogue.ts'
import { seen, type As, type RuleCase } from './data-target.ts'
import { addBill } from './values.table.ts'

const ann: As = { user: 'ann' }
const missing = '01a21d36-7ad5-7000-a84d-14b41cc03675'

const refusals: readonly [
  name: string,
  as: As | null,
  method: string,
  path: string,
  code: ErrorCode,
  body?: unknown,
][] = [
  ['a record that does not exist', ann, 'GET', `/data/v3/bill/${missing}`, 'record.not_found'],
  ['an object that does not exist', ann, 'GET', `/data/v3/bull/${missing}`, 'object.not_found'],
  ['a route that does not exist', ann, 'GET', '/data/v3/bill/x/y/z', 'route.not_found'],
  ['a method that a route does not have', ann, 'PUT', '/data/v3/query', 'protocol.method_not_allowed', {}],
  ['no credentials', null, 'GET', '/data/v3', 'auth.required'],
  [
    'a right that is missing',
    { user: 'lou' },
    'POST',
    '/data/v3/bill',
    'access.denied',
    { number: 'E', due: '2020-01-01' },
  ],
  ['a body that is not JSON', ann, 'POST', '/data/v3/query', 'request.malformed', '{'],
  ['a record that is not valid', ann, 'POST', '/data/v3/bill', 'record.invalid', {}],
  [
    'an expression that does not compile',
    ann,
    'POST',
    '/setup/v3/evaluate',
    'expression.invalid',
    { expression: '1 +' },
  ],
  ['a retired version', ann, 'GET', `/data/v1/bill/${missing}`, 'protocol.retired_version'],
  [
    'a retired version, with any method',
    ann,
    'DELETE',
    `/data/v2/bill/${missing}`,
    'protocol.retired_version',
  ],
  [
    'a batch that is too long',
    ann,
    'POST',
    '/data/v3/bill/batch',
    'limit.too_many_elements',
    { records: Array.from({ length: 201 }, () => ({ op: 'delete', id: missing })) },
  ],
  [
    'a change list with errors',
    { user: 'admin' },
    'POST',
    '/metadata/v3/apply',
    'deploy.invalid',
    { components: [{ type: 'app', key: 'X', label: 'x', body: {} }] },
  ],
]

export const errorCases: readonly RuleCase[] = [
  ...refusals.map(([name, as, method, path, code, body]): RuleCase => ({
    rule: '7 envelope',
    name,
    only: 'http',
    run: async (org) => {
      const answer = await org.send(as, method, path, body, { 'x-correlation-id': 'spec-7' })
      const { title, detail, details, ...envelope } = answer.body
      const isExplained =
        typeof detail === 'string' && detail.length > 10 && title === errorCatalogue[code].title
      return [
        answer.status,
        answer.headers.get('content-type'),
        isExplained,
        Array.isArray(details),
        envelope,
      ]
    },
    gives: [
      errorCatalogue[code].status,
      'application/problem+json; charset=utf-8',
      true,
      true,
      {
        ...{ type: `urn:almanac:problem:${code}`, status: errorCatalogue[code].status, code },
        ...{ class: errorCatalogue[code].class, retriable: errorCatalogue[code].retriable },
        ...{ correlationId: 'spec-7', origin: 'api.request' },
      },
    ],
  })),
  {
    rule: '7 envelope',
    name: 'the items of a batch have the same envelope',
    only: 'http',
    run: async (org) => {
      const records = [{ op: 'delete', id: missing }]
      const { body } = await org.send(
        ann,
        'POST',
        '/data/v3/bill/batch',
        { records },
        { 'x-correlation-id': 'spec-7' },
      )
      const [{ error }] = body['results'] as [{ error: Record<string, unknown> }]
      return Object.keys(error).sort()
    },
    gives: [
      'class',
      'code',
      'correlationId',
      'detail',
      'details',
      'origin',
      'retriable',
      'status',
      'title',
      'type',
    ],
  },
  {
    rule: '7',
    name: 'a record that the caller cannot see is not_found, never forbidden by every request',
    run: async (org) => {
      const { id } = await addBill(org, { net: '1000' })
      const lou: As = { user: 'lou' }
      const asked = async (op: 'update' | 'delete' | 'recompute') =>
        seen(
          await org.save(lou, 'bill', { op, id, fields: op === 'update' ? { net: '1' } : {} }),
          () => 'done',
        )
      return [
        seen(await org.get(lou, 'bill', id), () => 'done'),
        seen(await org.get(lou, 'bill', id, ['net']), () => 'done'),
        ...[await asked('update'), await asked('delete'), await asked('recompute')],
        seen(await org.batch(lou, 'bill', [{ op: 'delete', id }]), ({ results }) => results),
      ]
    },
    gives: [...Array<string>(5).fill('record.not_found'), ['record.not_found']],
  },
  {
    rule: '7',
    name: 'a retired version names its successor and the guide, which exists',
    only: 'http',
    run: async (org) => {
      const { headers, body } = await org.send(null, 'POST', '/data/v2/bill', {})
      const [{ successor, guide }] = body['details'] as [{ successor: string; guide: string }]
      return [
        successor,
        headers.get('link')?.includes(successor),
        (await org.send(null, 'GET', guide)).status,
      ]
    },
    gives: ['/data/v3', true, 200],
  },
]
