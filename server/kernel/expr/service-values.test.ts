// Results of calls in expressions: members, items, and values of unknown type.
import { describe, expect, it } from 'vitest'
import type { EarlierCall, ExpressionSite } from '../components/expression-slot.ts'
import { ledgerTypes } from '../components/external-service/fixture.ts'
import { MemoryView } from '../components/memory-view.ts'
import { decimal, parseDecimal } from '../decimal/decimal.ts'
import { completeExpression } from './complete.ts'
import { compileExpression } from './compile.ts'
import { component, components } from './fixture.ts'
import { exprValueFromField, toCanonicalJson, valueToJson, type ExprValue } from './values.ts'

const hash = `oas1:sha256:${'0'.repeat(64)}`
const service = component('external_service', 'ledger', { spec: { hash } })
const view = new MemoryView([...components, service], new Map([[hash, ledgerTypes]]))

function siteOf(...calls: EarlierCall[]): ExpressionSite {
  return { kind: 'automation', object: 'invoice', phase: 'post_commit', params: [], calls }
}
const site = siteOf(
  { action: 'book', operation: 'ledger.createEntry' },
  { action: 'find', operation: 'ledger.listEntries' },
  { action: 'drop', operation: 'ledger.deleteEntry' },
  { action: 'raw' },
  { action: 'later', operation: 'soon.get' },
)

const entry: ExprValue = {
  id: parseDecimal('9007199254740993'),
  amount: parseDecimal('0.10'),
  note: null,
  'booked on': exprValueFromField('date', '2026-01-31'),
  kind: 'debit',
  tags: ['a', 'b'],
  details: { score: decimal(7), reasons: ['late', true, null], when: '2026-02-01' },
}
const values: Record<string, ExprValue> = {
  book: { status: decimal(201), body: entry },
  find: { status: decimal(200), body: [entry] },
  drop: { status: decimal(204), body: null },
  raw: { status: decimal(200), body: { constructor: 'own', list: [decimal(1)] } },
}

function compile(source: string, expects: 'any' | 'number' = 'any') {
  return compileExpression(source, site, view, expects)
}

function evaluate(source: string): unknown {
  const compiled = compile(source)
  if (!compiled.ok) throw new Error(compiled.problems.map(({ message }) => message).join(' '))
  const field = ([name]: readonly string[]): ExprValue => values[name!] ?? null
  return valueToJson(compiled.program.evaluate({ field, configRow: () => ({}), flag: () => false }))
}

describe('the result of a call', () => {
  it.each<[string, unknown]>([
    ['book.status == 201', true],
    ['book.body.id + 1', '9007199254740994'],
    ['book.body.amount * 3', '0.3'],
    ['present(book.body.note)', false],
    ['present(book.body.parent.parent.amount)', false],
    ['addDays(book.body["booked on"], 1)', '2026-02-01'],
    ['book.body.tags[1]', 'b'],
    ['book.body.tags[2]', null],
    ['book.body.tags[-1]', null],
    ['book.body.tags[0.5]', null],
    ['"a" in book.body.tags', true],
    ['size(find.body)', '1'],
    ['find.body[0].amount', '0.1'],
    ['find.body.exists(e, e.amount > 0 && e.kind == "debit")', true],
    ['find.body.map(e, e.id)', ['9007199254740993']],
    ['find.body.map(e, e.parent.amount)', [null]],
    ['["x", "y"][1]', 'y'],
    // Of unknown type.
    ['number(book.body.details.score) + 1', '8'],
    ['text(book.body.details.score)', '7'],
    ['text(book.body.details.reasons)', null],
    ['number(book.body.details)', null],
    ['date(book.body.details.when)', '2026-02-01'],
    ['date(book.body.details.score)', null],
    ['datetime(book.body.details.reasons[1])', null],
    ['boolean(book.body.details.reasons[1])', true],
    ['list(book.body.details.reasons).exists(r, text(r) == "late")', true],
    ['list(book.body.details)', null],
    ['text(raw.body["constructor"])', 'own'],
    ['text(raw.body.toString)', null],
    ['list(raw.body.list).map(each, number(each) * 2)', ['2']],
  ])('%s is %j', (source, expected) => {
    expect(evaluate(source)).toEqual(expected)
  })

  it.each<[string, string]>([
    ['book.body.amout', 'A value of type ledger.Entry has no "amout". Did you mean "amount"?'],
    ['book.boddy', 'A result of a call has no "boddy". Did you mean "body"?'],
    ['book.body.secret', 'A value of type ledger.Entry has no "secret".'],
    ['boook.status', 'The name "boook" is unknown. It is not a field of invoice. Did you mean "book"?'],
    ['drop.body.id', 'drop.body is always missing, so it has no "id".'],
    ['book.body == book.body', 'Objects cannot be compared as a whole: compare their members.'],
    ['book.body["booked o"]', 'A value of type ledger.Entry has no "booked o". Did you mean "booked on"?'],
    [
      'book.body[0]',
      '[…] reads an item of a list; this is a value of type ledger.Entry. Write the name of a member in quotes.',
    ],
    ['find.body["x"]', 'The position in a list is a number, from 0; this is a text.'],
    ['amount[0]', '[…] reads an item of a list; this is a number.'],
    [
      'book.body.details.score > 3',
      'A value of unknown type and a number cannot be compared with ">". Write number(book.body.details.score).',
    ],
    [
      'book.body.details.score + 1',
      '"+" takes numbers; this is a value of unknown type. Convert it with number(book.body.details.score).',
    ],
    [
      'book.body.details.a == book.body.details.b',
      'Values of unknown type cannot be compared: convert both, for example with text(x) or number(x).',
    ],
    [
      '"late" in book.body.details.reasons',
      '"in" needs a list on its right; this is a value of unknown type: write list(book.body.details.reasons).',
    ],
    [
      '"late" in list(book.body.details.reasons)',
      '"in" cannot compare a value of unknown type. Test its items: write list(book.body.details.reasons).exists(x, …).',
    ],
    [
      'book.body.details.exists(x, true)',
      'exists takes a list; this is a value of unknown type. Write list(book.body.details).exists(…).',
    ],
    [
      'coalesce(book.body.details, 0)',
      'coalesce does not take (value of unknown type, number). Its signature is coalesce(value, value…): value.',
    ],
  ])('%s does not compile', (source, message) => {
    expect(compile(source).problems.map((problem) => problem.message)).toEqual([message])
  })

  it('must be converted where a type is expected', () => {
    expect(compile('book.body.details.score', 'number').problems).toMatchObject([
      {
        message:
          'The result must be a number; this is a value of unknown type. Write number(book.body.details.score).',
        suggestion: 'number(book.body.details.score)',
      },
    ])
  })

  it('has any member while its description is not imported', () => {
    expect(compile('later.body.anything.at.all > 3').problems).toEqual([])
  })

  it('has canonical JSON', () => {
    const value: ExprValue = { b: decimal(1), a: [entry['kind' as never] ?? null, 'x'], ['__proto__']: true }
    expect(toCanonicalJson(value)).toBe('{"__proto__":true,"a":["debit","x"],"b":"1"}')
  })
})

describe('completion', () => {
  it.each<[string, string[]]>([
    ['boo|', ['book', 'boolean']],
    ['book.|', ['status', 'body']],
    ['book.body.|', ['id', 'amount', 'note', 'kind', 'tags', 'parent', 'details']],
    ['book.body.parent.par|', ['parent']],
    ['find.body[0].am|', ['amount']],
    ['find.body[size(find.body) - 1].am|', ['amount']],
    ['find.body.|', ['size']],
    ['raw.body.|', []],
  ])('%s', (text, expected) => {
    const { items } = completeExpression(text.replace('|', ''), text.indexOf('|'), site, view)
    expect(items.map(({ label }) => label)).toEqual(expected)
  })

  it('shows the type and the description of a member', () => {
    const { items } = completeExpression('book.body.amount', 16, site, view)
    expect(items).toMatchObject([{ kind: 'member', type: 'number', doc: 'In the currency of the ledger.' }])
  })
})
