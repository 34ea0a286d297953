// Who can read and do what (section 5 of the specification). What a change of configuration needs is in access.table.ts.
import { done, seen, type As, type DataOrg, type EvaluateQuestion, type RuleCase } from './data-target.ts'
import { addBill } from './values.table.ts'

const ann: As = { user: 'ann' }
const code = (rule: string, name: string, run: RuleCase['run'], gives: unknown): RuleCase => ({
  ...{ rule, name, run, gives },
})
const values = async (org: DataOrg, user: string, set: string): Promise<unknown> =>
  seen(await org.resolve({ user }, { set, scope: { environment: 'prod' } }), (body) => body.values)
const evaluated = async (org: DataOrg, user: string, question: EvaluateQuestion): Promise<unknown> =>
  seen(await org.evaluate({ user }, question), ({ value }) => JSON.parse(value) as unknown)
const filtered = async (org: DataOrg, user: string, filter: string): Promise<unknown> =>
  seen(await org.query({ user }, { object: 'bill', fields: ['net'], filter, limit: 1 }), () => 'answered')
const keysOf = async (org: DataOrg, user: string): Promise<unknown> =>
  seen(await org.objects({ user }), ({ objects }) => objects.map(({ key }) => key))
const reads = async (org: DataOrg, user: string, field: string): Promise<unknown> => {
  const { id } = await addBill(org, { memo: 'note' })
  return seen(await org.get({ user }, 'bill', id), ({ fields }) => fields[field])
}

/** Everything that a set can be read through by its name. */
const doors = ['config.fee.amount == 1', 'config.fee.amount == 2', 'flag.beta'] as const

export const rightsCases: readonly RuleCase[] = [
  code('5.4', 'no right is given without a grant: no objects', (org) => keysOf(org, 'nob'), []),
  code(
    '5.4',
    'no right is given without a grant: no sets',
    (org) => values(org, 'nob', 'fee'),
    'config.unknown_set',
  ),
  code(
    '5.4',
    'no right is given without a grant: no flags',
    (org) => values(org, 'nob', 'beta'),
    'config.unknown_set',
  ),
  code('5.4', 'an object right shows the object, and no other', (org) => keysOf(org, 'lou'), ['bill']),

  code('5.4', 'a read grant shows the values of a set', (org) => values(org, 'ann', 'fee'), {
    amount: '1.00',
  }),
  code(
    '5.5',
    'a set is invisible until a permission set grants it',
    (org) => values(org, 'lou', 'fee'),
    'config.unknown_set',
  ),
  code(
    '5.5',
    'who can define sets sees that it exists, not its values',
    (org) => values(org, 'mia', 'fee'),
    'access.denied',
  ),
  ...doors.flatMap((expression) => [
    code(
      '5.5',
      `an expression reads it with the grant: ${expression}`,
      async (org) => typeof (await evaluated(org, 'ann', { expression })),
      'boolean',
    ),
    code(
      '5.5',
      `an expression does not without: ${expression}`,
      (org) => evaluated(org, 'lou', { expression }),
      'expression.invalid',
    ),
    code(
      '5.5',
      `nor of who sees only its definition: ${expression}`,
      (org) => evaluated(org, 'mia', { expression }),
      'access.denied',
    ),
    code(
      '5.5',
      `a filter reads it with the grant: ${expression}`,
      (org) => filtered(org, 'ann', expression),
      'answered',
    ),
    code(
      '5.5',
      `a filter does not without: ${expression}`,
      (org) => filtered(org, 'lou', expression),
      'expression.invalid',
    ),
    code(
      '5.5',
      `nor the filter of who sees only its definition: ${expression}`,
      (org) => filtered(org, 'mia', expression),
      'access.denied',
    ),
  ]),
  code(
    '5.4',
    'logic reads what its user cannot: a formula of a record',
    async (org) => {
      const { fields } = await addBill(org, {}, { user: 'sal' })
      return [fields['tax'], fields['charged'], await values(org, 'sal', 'fee')]
    },
    ['16.00', '102.00', 'config.unknown_set'],
  ),

  code('5.4', 'a field without a grant is hidden', (org) => reads(org, 'lou', 'memo'), null),
  code(
    '5.4',
    'grants are united over the permission sets of a user',
    (org) => reads(org, 'uni', 'memo'),
    'note',
  ),
  code(
    '5.4',
    'a field alone does not show its object',
    async (org) => reads(org, 'nob', 'memo'),
    'object.not_found',
  ),
  code(
    '5.4',
    'adding a record needs its right',
    async (org) => {
      const fields = { number: 'R-0', due: '2020-01-01' }
      return seen(await org.save({ user: 'lou' }, 'bill', { op: 'insert', fields }), () => 'saved')
    },
    'access.denied',
  ),
  code(
    '5.4',
    'deleting a record needs its right',
    async (org) => {
      const { id } = await addBill(org)
      const deleted = await org.save({ user: 'sal' }, 'bill', { op: 'delete', id })
      return [seen(deleted, () => 'deleted'), seen(await org.get(ann, 'bill', id), () => 'there')]
    },
    ['access.denied', 'there'],
  ),
  code(
    '5.4',
    'a hidden field is refused as one that does not exist',
    async (org) => {
      const send = async (field: string) => {
        const fields = { number: `R-${field}`, due: '2020-01-01', [field]: 'x' }
        const saved = await org.save({ user: 'sal' }, 'bill', { op: 'insert', fields })
        return 'refused' in saved ? [saved.refused, saved.message.replaceAll(field, '…')] : 'saved'
      }
      const [hidden, none] = [await send('memo'), await send('mxmo')]
      return [hidden[0], JSON.stringify(hidden) === JSON.stringify(none)]
    },
    ['record.invalid', true],
  ),
  code(
    '5.4',
    'platform.root bypasses the checks: records, fields, values, rights',
    async (org) => {
      const { id } = await addBill(org, { net: '5000', memo: 'root' })
      const root: As = { user: 'roo' }
      const saved = done(await org.save(root, 'bill', { op: 'update', id, fields: { memo: 'by root' } }))
      return [saved.fields['memo'], await values(org, 'roo', 'fee'), await keysOf(org, 'roo')]
    },
    ['by root', { amount: '1.00' }, ['bill', 'customer']],
  ),
  {
    rule: '5.1',
    name: 'nothing of the org is read or written without credentials',
    only: 'http',
    run: async (org) => {
      const { body } = await org.send(ann, 'GET', '/openapi.json')
      const open: string[] = []
      for (const [path, operations] of Object.entries(body['paths'] as Record<string, object>))
        for (const method of Object.keys(operations).filter((key) => methods.has(key))) {
          const sent = method === 'get' || method === 'delete' ? undefined : {}
          const named = path.replaceAll(/\{\w+\}/g, 'x')
          const { status } = await org.send(null, method.toUpperCase(), named, sent)
          if (status !== 401) open.push(`${method} ${path}`)
        }
      return open.sort()
    },
    // Ways to sign in and out, what every server shows, and the two ends of a consent, each with a secret of its own.
    gives: [
      'delete /session',
      'get /.well-known/oauth-authorization-server',
      ...['get /docs/migrate-to-v3', 'get /healthz', 'get /metrics'],
      ...['get /oauth2/callback', 'get /oauth2/consent', 'get /openapi.json', 'get /readyz'],
      ...['get /session', 'post /oauth2/token'],
      ...['post /session/invitation', 'post /session/password', 'post /session/token'],
    ],
  },
]

const methods: ReadonlySet<string> = new Set(['get', 'put', 'post', 'patch', 'delete'])
