// How expressions and records read configuration (section 2.7 of the specification).
import { entry } from './ground.ts'
import { billWith, rate } from './data-ground.ts'
import {
  done,
  seen,
  type As,
  type Body,
  type DataOrg,
  type EvaluateQuestion,
  type RuleCase,
} from './data-target.ts'

const ann: As = { user: 'ann' }
const cle: As = { user: 'cle' }

let made = 0
/** A new bill by ann. */
export async function addBill(org: DataOrg, fields: object = {}, as = ann): Promise<Body> {
  const number = `B-${(made += 1)}`
  return done(
    await org.save(as, 'bill', {
      op: 'insert',
      fields: { number, due: '2020-06-01', net: '100', ...fields },
    }),
  )
}

/** The value is kept as the text of its canonical JSON. */
const valueOf = ({ value }: Body): unknown => JSON.parse(value)

const value = (
  rule: string,
  name: string,
  question: EvaluateQuestion,
  gives: unknown,
  as = ann,
): RuleCase => ({
  ...{ rule, name, gives },
  run: async (org) => seen(await org.evaluate(as, question), valueOf),
})

const raised = [
  rate('de_2', 'DE', '2021-01-01', '2030-01-01', '0.19'),
  rate('de_3', 'DE', '2030-01-01', null, '0.25'),
]

export const valueCases: readonly RuleCase[] = [
  {
    rule: '2.7.1',
    name: 'the result is a function of the request and the generation',
    deploys: true,
    run: async (org) => {
      const generation = await org.activeGeneration()
      done(await org.apply([entry('tier.org', { values: { name: 'new' } })]))
      const at = async (question: object) =>
        seen(
          await org.resolve(ann, { set: 'tier', scope: { environment: 'prod' }, ...question }),
          ({ values }) => values,
        )
      return [await at({ generation }), await at({ generation }), await at({})]
    },
    gives: [{ name: 'org', extra: 'only here' }, { name: 'org', extra: 'only here' }, { name: 'new' }],
  },
  {
    rule: '2.7.4',
    name: 'the date is that of the record',
    run: async (org) => {
      const [old, late] = [await addBill(org), await addBill(org, { due: '2021-06-01' })]
      return [old.fields['tax'], late.fields['tax']]
    },
    gives: ['16.00', '19.00'],
  },
  {
    rule: '2.7.4',
    name: 'an unrelated edit keeps the value, and the configuration that it was made with',
    deploys: true,
    run: async (org) => {
      const { id } = await addBill(org)
      done(await org.apply([rate('de_1', 'DE', '2020-01-01', '2021-01-01', '0.5')]))
      const save = async (fields: object) =>
        done(await org.save(ann, 'bill', { op: 'update', id, fields })).fields['tax']
      return [await save({ memo: 'x' }), await save({ net: '200' })]
    },
    gives: ['16.00', '32.00'],
  },
  {
    rule: '2.7.4',
    name: 'a new date takes the active configuration',
    deploys: true,
    run: async (org) => {
      const { id } = await addBill(org)
      done(await org.apply([rate('de_1', 'DE', '2020-01-01', '2021-01-01', '0.5')]))
      const saved = done(await org.save(ann, 'bill', { op: 'update', id, fields: { due: '2020-06-02' } }))
      return saved.fields['tax']
    },
    gives: '50.00',
  },
  {
    rule: '2.6',
    name: 'a recompute takes the active configuration',
    deploys: true,
    run: async (org) => {
      const { id } = await addBill(org)
      done(await org.apply([rate('de_1', 'DE', '2020-01-01', '2021-01-01', '0.5')]))
      done(await org.save(ann, 'bill', { op: 'recompute', id }))
      return done(await org.get(ann, 'bill', id)).fields['tax']
    },
    gives: '50.00',
  },
  {
    rule: '2.6',
    name: 'a formula cannot read a value whose kept formula reads it, until that is recomputed',
    deploys: true,
    run: async (org) => {
      const { id } = await addBill(org)
      const formulas = (tax: string, twice: string) =>
        billWith(
          (field) => (field.key === 'tax' ? { ...field, formula: { expression: tax, stored: true } } : field),
          {
            ...{ key: 'twice', label: 'Twice', type: 'number', precision: 14, scale: 2 },
            formula: { expression: twice, stored: true },
          },
        )
      const rated = (of: string): string => `${of} * config.vat(country).rate`
      const refusal = async (component: object) => {
        const given = await org.apply([component])
        return 'refused' in given
          ? given.details.map((each) => (each as { code: string }).code)
          : given.generation
      }
      done(await org.apply([formulas(rated('twice'), 'net * 2')]))
      done(await org.save(ann, 'bill', { op: 'recompute', id }))
      const both = await refusal(formulas(rated('net'), 'tax * 2'))
      done(await org.apply([formulas(rated('net'), 'net * 2')]))
      const kept = await refusal(formulas(rated('net'), 'tax * 2'))
      done(await org.save(ann, 'bill', { op: 'recompute', id }))
      done(await org.apply([formulas(rated('net'), 'tax * 2')]))
      done(await org.save(ann, 'bill', { op: 'recompute', id }))
      return [both, kept].map((codes) => (codes as string[]).includes('object.bound_cycle'))
    },
    gives: [true, true],
  },
  ...['now()', 'today()'].map((clock) =>
    value('2.7.4', `no expression reads a clock: ${clock}`, { expression: clock }, 'expression.invalid'),
  ),
  {
    rule: '2.7.5',
    name: 'a future-dated entry changes nothing until its first day',
    deploys: true,
    run: async (org) => {
      const { id } = await addBill(org, { due: '2029-12-31' })
      done(await org.apply(raised))
      const taxOn = async (due: string) =>
        done(await org.save(ann, 'bill', { op: 'update', id, fields: { due } })).fields['tax']
      return [await taxOn('2029-12-30'), await taxOn('2029-12-31'), await taxOn('2030-01-01')]
    },
    gives: ['19.00', '19.00', '25.00'],
  },
  value('2.7.6', 'config.<set>.<field>', { expression: 'config.fee.amount + 1' }, '3'),
  value(
    '2.7.6',
    'config.<set>(<key expression>).<field>',
    {
      ...{ expression: 'config.vat(a + "E").rate * 100', asOf: '2021-01-01' },
      inputs: { a: { type: 'text', value: 'D' } },
    },
    '19',
  ),
  value('2.7.6', 'flag.<flag_key>', { expression: 'flag.beta' }, false),
  value('2.7.6', 'flag.<flag_key> in an app', { expression: 'flag.beta' }, true, { ...ann, in: 'shop' }),
  value('2.7.6', 'an unknown set', { expression: 'config.fees.amount' }, 'expression.invalid'),
  value('2.7.6', 'an unknown field', { expression: 'config.fee.amont' }, 'expression.invalid'),
  value('2.7.6', 'an unknown flag', { expression: 'flag.betta' }, 'expression.invalid'),
  value(
    '2.7.6',
    'a key of a different type',
    { expression: 'config.vat(1).rate', asOf: '2021-01-01' },
    'expression.invalid',
  ),
  value(
    '2.7.4',
    'a dated set without a date',
    { expression: 'config.vat("DE").rate' },
    'config.as_of_required',
  ),
  value(
    '2.7.3',
    'never a silent null: an unknown key',
    {
      ...{ expression: 'config.vat(a).rate', asOf: '2021-01-01' },
      inputs: { a: { type: 'text', value: 'FR' } },
    },
    'config.unknown_key',
  ),
  value(
    '2.7.3',
    'never a silent null: no entry on the date',
    { expression: 'config.vat("DE").rate', asOf: '2019-12-31' },
    'config.not_effective',
  ),
  {
    rule: '2.7.7',
    name: 'a stored formula reads the environment',
    run: async (org) => (await addBill(org)).fields['charged'],
    gives: '102.00',
  },
  {
    rule: '2.7.7',
    name: 'a stored formula reads the app that the save runs in',
    run: async (org) => {
      const { id, fields } = await addBill(org, {}, { ...ann, in: 'shop' })
      // Stored: it does not depend on who reads it, or where.
      return [fields.charged, done(await org.get(ann, 'bill', id)).fields['charged']]
    },
    gives: ['103.00', '103.00'],
  },
  {
    rule: '2.7.8',
    name: 'a virtual formula reads what depends on the viewer, and is not stored',
    run: async (org) => {
      const { id } = await addBill(org)
      const sight = async (as: As) => done(await org.get(as, 'bill', id)).fields['sight']
      return [await sight(ann), await sight(cle), await sight({ ...cle, in: 'shop' }), await sight(ann)]
    },
    gives: ['ann', 'chiefs', 'chiefs', 'ann'],
  },
  {
    rule: '2.7.10',
    name: 'a change is read from its generation on',
    deploys: true,
    run: async (org) => {
      const sight = async () => seen(await org.evaluate(ann, { expression: 'config.fee.amount' }), valueOf)
      const before = await sight()
      done(
        await org.apply([
          entry('fee.test', { scope: { kind: 'environment', environment: 'test' }, values: { amount: '7' } }),
        ]),
      )
      return [before, await sight(), (await addBill(org)).fields['charged']]
    },
    gives: ['2', '7', '107.00'],
  },
]
