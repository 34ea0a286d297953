// What rules and automations read of the save that runs them.
import { describe, expect, it } from 'vitest'
import type { ExpressionSite } from '../components/expression-slot.ts'
import { MemoryView } from '../components/memory-view.ts'
import { compileExpression } from './compile.ts'
import { completeExpression } from './complete.ts'
import { calcFunction, components, field, objectOf, programOf, storedSite, view } from './fixture.ts'
import { renameInExpression } from './rename.ts'
import { exprValueFromField, valueToJson, type ExprValue } from './values.ts'

const rule: ExpressionSite = { kind: 'validation_rule', object: 'invoice' }
const action: ExpressionSite = { kind: 'automation', object: 'invoice', phase: 'after_write', params: [] }
const invocable: ExpressionSite = { kind: 'automation', object: null, phase: 'invocable', params: [] }

type Record = Readonly<{ [path: string]: string | boolean }>

const types: { [path: string]: 'number' | 'boolean' } = { amount: 'number', paid: 'boolean' }
const reader =
  (record: Record) =>
  (path: readonly string[]): ExprValue =>
    exprValueFromField(types[path.join('.')] ?? 'text', record[path.join('.')])

/** The value for a record and, if it is not new, what it was before. */
function valueOf(source: string, after: Record, before?: Record): unknown {
  const program = programOf(compileExpression(source, rule, view))
  const value = program.evaluate({
    field: reader(after),
    ...(before === undefined ? {} : { prior: reader(before) }),
    configRow: () => ({}),
    flag: () => false,
  })
  return valueToJson(value)
}

const problemsOf = (source: string, site: ExpressionSite = rule, over = view): string[] => {
  const compiled = compileExpression(source, site, over)
  return compiled.ok ? [] : compiled.problems.map(({ message }) => message)
}

const labelsOf = (source: string, site: ExpressionSite, over = view): string[] =>
  completeExpression(source, source.length, site, over).items.map(({ label }) => label)

describe('in a save', () => {
  it.each<[source: string, after: Record, before: Record | undefined, expected: unknown]>([
    ['isNew', {}, undefined, true],
    ['isNew', {}, {}, false],
    ['prior.amount', { amount: '2' }, { amount: '1' }, '1'],
    ['prior.amount', { amount: '2' }, undefined, null],
    ['prior.amount < amount', { amount: '2' }, { amount: '1' }, true],
    ['!(prior.amount < amount)', { amount: '2' }, undefined, true],
    ['prior.customer.country', { 'customer.country': 'DE' }, { 'customer.country': 'AT' }, 'AT'],
    ['changed(amount)', { amount: '1.00' }, { amount: '1' }, false],
    ['changed(amount)', { amount: '2' }, { amount: '1' }, true],
    ['changed(amount)', {}, { amount: '1' }, true],
    ['changed(amount)', { amount: '1' }, {}, true],
    ['changed(amount)', {}, {}, false],
    ['changed(amount)', { amount: '1' }, undefined, true],
    ['changed(amount)', {}, undefined, false],
    ['changed(paid)', { paid: false }, { paid: true }, true],
    ['changed(paid) && !isNew', { paid: false }, undefined, false],
  ])('%s of %j after %j is %j', (source, after, before, expected) => {
    expect(valueOf(source, after, before)).toEqual(expected)
  })
})

describe('the names of a save', () => {
  it('exist in rules and automations of an object, and nowhere else', () => {
    for (const source of ['isNew', 'prior.paid', 'changed(amount)']) {
      expect(problemsOf(source)).toEqual([])
      expect(problemsOf(source, action)).toEqual([])
      expect(problemsOf(source, invocable)).not.toEqual([])
      expect(problemsOf(source, { kind: 'list_filter', object: 'invoice' })).not.toEqual([])
      expect(problemsOf(`${source} == null ? 1 : 2`, storedSite)).not.toEqual([])
    }
  })

  it.each<[string, string[]]>([
    ['present(prior)', ['prior is not a value: write prior.<field>.']],
    ['present(prior.amuont)', ['invoice has no field "amuont". Did you mean "amount"?']],
    ['changed()', ['changed takes one field of invoice: write changed(<field>).']],
    ['changed(amount, paid)', ['changed takes one field of invoice: write changed(<field>).']],
    ['changed(amount + 1)', ['changed takes one field of invoice: write changed(<field>).']],
    ['changed(customer.name)', ['changed takes one field of invoice: write changed(<field>).']],
    ['changed(prior.amount)', ['changed takes one field of invoice: write changed(<field>).']],
    ['changed(amuont)', [expect.stringMatching(/The name "amuont" is unknown.*Did you mean "amount"/)]],
    ['isnew', [expect.stringMatching(/Did you mean "isNew"/)]],
  ])('%s is a problem', (source, expected) => {
    expect(problemsOf(source)).toEqual(expected)
  })

  it('leave a field, a parameter and a function that have the same name as they are', () => {
    const object = objectOf('job', [
      field('prior', 'reference', { references: 'job' }),
      field('state', 'text'),
    ])
    const over = new MemoryView([
      ...components,
      object,
      calcFunction('changed', [['value', 'text']], 'boolean', 'value == "changed"'),
    ])
    const fieldsOf = (source: string, site: ExpressionSite): unknown =>
      compileExpression(source, site, over).reads.fields
    const ofJob: ExpressionSite = { kind: 'validation_rule', object: 'job' }
    expect(fieldsOf('prior.state == "x"', ofJob)).toEqual([
      { object: 'job', field: 'prior' },
      { object: 'job', field: 'state' },
    ])
    expect(problemsOf('changed("changed")', ofJob, over)).toEqual([])
    const params = [{ key: 'prior', type: 'text' as const }]
    expect(problemsOf('prior == "x"', { ...action, params } as ExpressionSite, over)).toEqual([])
  })
})

describe('a field from before the save', () => {
  it('is a read of the field', () => {
    const { reads } = compileExpression('prior.customer.country == "DE" || changed(paid)', rule, view)
    expect(reads.fields).toEqual([
      { object: 'customer', field: 'country' },
      { object: 'invoice', field: 'customer' },
      { object: 'invoice', field: 'paid' },
    ])
  })

  it('is renamed with the field', () => {
    const renames = [{ kind: 'object_field' as const, of: 'invoice', from: 'amount', to: 'net' }]
    expect(renameInExpression('prior.amount < amount && changed(amount)', rule, view, renames)).toBe(
      'prior.net < net && changed(net)',
    )
  })

  it('is completed', () => {
    const labels = (text: string, site: ExpressionSite = rule): string[] =>
      completeExpression(text, text.length, site, view).items.map(({ label }) => label)
    expect(labels('prior.am')).toEqual(['amount'])
    expect(labels('prior.customer.na')).toEqual(['name'])
    expect(labels('pri')).toContain('prior')
    expect(labels('chang')).toEqual(['changed'])
    expect(labels('chang', storedSite)).toEqual([])
    expect(labels('prior.', storedSite)).toEqual([])
  })
})

describe('the id of the record', () => {
  const list: ExpressionSite = { kind: 'list_filter', object: 'invoice' }
  const withId = new MemoryView([...components, objectOf('note', [field('id', 'number')])])
  const ofNotes: ExpressionSite = { kind: 'list_filter', object: 'note' }

  it('is read in an automation of an object, and in the filter of a list', () => {
    for (const site of [action, list]) {
      const program = programOf(compileExpression('id == "a"', site, view))
      const value = (id?: string): unknown =>
        program.evaluate({ id, field: () => null, configRow: () => ({}), flag: () => false })
      expect([value('a'), value('b'), value()]).toEqual([true, false, false])
    }
  })

  it('is unknown elsewhere', () => {
    for (const site of [rule, invocable, storedSite]) expect(problemsOf('id == "a"', site)).toHaveLength(1)
  })

  it('is the field of this name, if there is one', () => {
    expect(problemsOf('id > 3', ofNotes, withId)).toEqual([])
    expect(labelsOf('', ofNotes, withId).filter((label) => label === 'id')).toHaveLength(1)
  })

  it('is a record of its object, which has no fields', () => {
    expect(problemsOf('id > 3', list)[0]).toContain('record of invoice')
    expect(problemsOf('id.amount > 3', list)).toEqual(['id is the id of the record itself: write amount.'])
  })

  it('is offered where it can be read', () => {
    expect(labelsOf('', action)).toContain('id')
    expect(labelsOf('', list)).toContain('id')
    expect(labelsOf('', rule)).not.toContain('id')
  })
})
