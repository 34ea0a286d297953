import { describe, expect, it } from 'vitest'
import type { ExpressionSite, ParamType } from '../components/expression-slot.ts'
import { MemoryView } from '../components/memory-view.ts'
import { compileExpression } from './compile.ts'
import {
  calcFunction,
  components,
  field,
  inputOf,
  objectOf,
  playground,
  programOf,
  storedSite,
  view,
  virtualSite,
} from './fixture.ts'

/** Formats each problem as `code @text`, with the text of its range. */
function problemsOf(
  source: string,
  site: ExpressionSite = virtualSite,
  expects: ParamType | 'any' = 'any',
): string[] {
  const compiled = compileExpression(source, site, view, expects)
  return compiled.problems.map(({ code, start, end }) => `${code} @${source.slice(start, end)}`)
}

function only(source: string, site: ExpressionSite = virtualSite, expects: ParamType | 'any' = 'any') {
  const { problems } = compileExpression(source, site, view, expects)
  expect(problems).toHaveLength(1)
  return problems[0]!
}

describe('problems, with the text of their range', () => {
  it.each<[string, string[]]>([
    ['', ['expr.syntax @']],
    ['1 +', ['expr.syntax @']],
    ['amount = 1', ['expr.syntax @=']],
    ['(amount', ['expr.syntax @']],
    ['amount §', ['expr.syntax @§']],
    ['"open', ['expr.syntax @"open']],
    ['1e3', ['expr.syntax @1e3']],
    ['0x1F', ['expr.syntax @0x1F']],
    ['1u', ['expr.syntax @1u']],
    ['nowhere + nothing', ['expr.unknown_name @nowhere', 'expr.unknown_name @nothing']],
    ['amout * 2 > config.limit.credit', ['expr.unknown_name @amout', 'expr.unknown_name @limit']],
    ['customer.contry == "DE"', ['expr.unknown_name @contry']],
    ['customer.parent.nme', ['expr.unknown_name @nme']],
    ['config.limits.credt', ['expr.unknown_name @credt']],
    ['flag.bta', ['expr.unknown_name @bta']],
    ['config.beta.value', ['expr.unknown_name @config.beta']],
    ['flag.limits', ['expr.unknown_name @flag.limits']],
    ['rond(amount)', ['expr.unknown_name @rond']],
    ['note.lenght()', ['expr.unknown_name @lenght']],
    ['config', ['expr.syntax @config']],
    ['round', ['expr.unknown_name @round']],
    ['amount + note', ['expr.type @amount + note']],
    ['amount * note', ['expr.type @note']],
    ['-note', ['expr.type @note']],
    ['!amount', ['expr.type @amount']],
    ['amount && paid', ['expr.type @amount']],
    ['paid > false', ['expr.type @paid > false']],
    ['amount == "5"', ['expr.type @"5"']],
    ['invoice_date > "2026-01-01"', ['expr.type @"2026-01-01"']],
    ['invoice_date + 1', ['expr.type @invoice_date + 1']],
    ['paid_on - invoice_date', ['expr.type @paid_on - invoice_date']],
    ['note in "abc"', ['expr.type @"abc"']],
    ['amount in ["a"]', ['expr.type @amount']],
    ['[1, "a"] == [1]', ['expr.type @[1, "a"] == [1]', 'expr.type @"a"']],
    ['amount == null', ['expr.type @amount == null']],
    ['paid ? 1 : "x"', ['expr.type @"x"']],
    ['amount.country', ['expr.type @country']],
    ['amount / 0.00', ['expr.type @0.00']],
    ['round(note)', ['expr.type @round(note)']],
    ['round()', ['expr.arguments @round']],
    ['round(1, 2, 3)', ['expr.arguments @round']],
    ['gross(amount)', ['expr.arguments @gross']],
    ['gross(note, amount)', ['expr.type @note', 'expr.type @amount']],
    ['date("2025-02-30")', ['expr.type @"2025-02-30"']],
    ['note.matches("(a")', ['expr.type @"(a"']],
    ['note.matches(note)', ['expr.type @note']],
    ['[1].all(x)', ['expr.arguments @[1].all(x)']],
    ['amount.all(x, x > 1)', ['expr.type @amount']],
    ['config.vat_rate.rate', ['expr.set_key @config.vat_rate']],
    ['config.limits("x").credit', ['expr.set_key @config.limits("x")']],
    ['config.vat_rate["DE"].rate', ['expr.set_key @config.vat_rate["DE"]']],
    ['config.vat_rate("a", "b").rate', ['expr.set_key @config.vat_rate("a", "b")']],
    ['config.vat_rate(amount).rate', ['expr.type @amount']],
    ['config.currency("EURO").digits', ['expr.unknown_name @"EURO"']],
    ['config.vat_rate("DE")', ['expr.type @config.vat_rate("DE")']],
    ['config.limits == 1', ['expr.type @config.limits']],
    ['now()', ['expr.forbidden_call @now()']],
    ['callout(crm, amount)', ['expr.forbidden_call @callout(crm, amount)']],
    ['{"a": 1}', ['expr.unsupported @{"a": 1}']],
    ['[1, 2][note]', ['expr.type @note']],
    ['amount[0]', ['expr.type @amount']],
    ['b"x"', ['expr.unsupported @b"x"']],
    ['((amount + 1) * (note))', ['expr.type @note']],
    ['(amount + 1) - (note + "x")', ['expr.type @note + "x"']],
  ])('%s', (source, expected) => {
    expect(problemsOf(source)).toEqual(expected)
  })

  it('refuses expressions that could exhaust the stack or the time, with a named reason', () => {
    expect(only('!'.repeat(15_000) + 'paid').code).toBe('expr.syntax')
    expect(only('('.repeat(5_000)).code).toBe('expr.syntax')
    expect(only(Array(3_000).fill('1').join('+')).message).toMatch(/nested too deeply/)
    expect(only(`"${'x'.repeat(30_000)}"`).message).toMatch(/30002 characters/)
  })
})

describe('suggestions', () => {
  it.each<[string, string]>([
    ['amout', 'amount'],
    ['customer.contry', 'country'],
    ['config.vat_rat("DE").rate', 'vat_rate'],
    ['config.limits.credt', 'credit'],
    ['flag.reverse_chrge', 'reverse_charge'],
    ['grss(1, "DE")', 'gross'],
    ['limits', 'config.limits'],
    ['reverse_charge', 'flag.reverse_charge'],
    ['flag.limits', 'config.limits'],
    ['config.vat_rate[customer.country].rate', 'config.vat_rate(customer.country)'],
    ['config.limits("x").credit', 'config.limits'],
    ['amount == null', '!present(amount)'],
    ['(amount + 1) != null', 'present(amount + 1)'],
    ['amount > "5"', '5'],
    ['amount > note', 'number(note)'],
    ['invoice_date > "2026-01-01"', 'date("2026-01-01")'],
    ['invoice_date == sent_at', 'date(sent_at)'],
    ['invoice_date + 30', 'addDays(invoice_date, 30)'],
    ['paid_on - invoice_date', 'daysBetween(invoice_date, paid_on)'],
    ['contains(note, "x")', 'note.contains("x")'],
    ['contains(note + "x", "x")', '(note + "x").contains("x")'],
    ['amount.round(2)', 'round(amount, 2)'],
    ['config.currency("EURO").digits', '"EUR"'],
  ])('%s: %s', (source, suggestion) => {
    const { problems } = compileExpression(source, virtualSite, view)
    expect(problems[0]?.suggestion).toBe(suggestion)
  })

  it('fixes most of them', () => {
    for (const source of [
      'amout * 2',
      'amount > "5"',
      'invoice_date > "2026-01-01"',
      'invoice_date + 30',
      'config.limits("x").credit',
    ]) {
      const { start, end, suggestion } = only(source)
      const fixed = source.slice(0, start) + suggestion + source.slice(end)
      expect(compileExpression(fixed, virtualSite, view).problems).toEqual([])
    }
  })
})

describe('the result', () => {
  it.each<[string, ParamType, string | undefined]>([
    ['amount', 'text', 'text(amount)'],
    ['note', 'number', 'number(note)'],
    ['sent_at', 'date', 'date(sent_at)'],
    ['amount', 'boolean', undefined],
  ])('%s is not a %s', (source, expects, suggestion) => {
    const problem = only(source, virtualSite, expects)
    expect(problem.code).toBe('expr.result_type')
    expect(problem.suggestion).toBe(suggestion)
  })

  it.each<[string, ParamType]>([
    ['amount + 1', 'number'],
    ['customer', 'text'],
    ['currency', 'text'],
    ['paid && amount > 1', 'boolean'],
    ['paid ? null : date("2026-01-01")', 'date'],
  ])('%s is a %s', (source, expects) => {
    expect(problemsOf(source, virtualSite, expects)).toEqual([])
  })
})

describe('a stored value reads only values that are the same for every viewer', () => {
  const rollup: ExpressionSite = {
    kind: 'rollup_filter',
    object: 'invoice',
    field: 'lines_total',
    child: 'line',
  }

  it.each<[string, ExpressionSite, string[], RegExp]>([
    [
      'amount * config.discount.rate',
      storedSite,
      ['expr.viewer_dependent @discount'],
      /discount can vary by user, permission_set/,
    ],
    ['flag.beta ? 1 : 2', storedSite, ['expr.viewer_dependent @beta'], /beta can vary by user/],
    [
      'net_price(amount)',
      storedSite,
      ['expr.viewer_dependent @net_price'],
      /through calc function net_price/,
    ],
    ['both(amount)', storedSite, ['expr.viewer_dependent @both'], /through calc function both/],
    ['personal + 1', storedSite, ['expr.viewer_dependent @personal'], /through formula invoice.personal/],
    ['amount > config.discount.rate', rollup, ['expr.viewer_dependent @discount'], /the value of a roll-up/],
  ])('%s at %j', (source, site, expected, message) => {
    expect(problemsOf(source, site)).toEqual(expected)
    expect(only(source, site).message).toMatch(message)
  })

  it('can read the rest in a virtual formula, a rule or the playground', () => {
    expect(problemsOf('amount * config.discount.rate + personal', virtualSite)).toEqual([])
    expect(problemsOf('flag.beta', { kind: 'validation_rule', object: 'invoice' })).toEqual([])
    expect(problemsOf('net_price(n)', playground)).toEqual([])
  })

  it('sees the fields of the child in the filter of a roll-up', () => {
    expect(problemsOf('taxable && amount > 0', rollup, 'boolean')).toEqual([])
    expect(problemsOf('invoice.paid', rollup)).toEqual(['expr.rollup_reads @invoice'])
    expect(problemsOf('paid', rollup)).toEqual(['expr.unknown_name @paid'])
  })
})

describe('a dated set', () => {
  it('is read by the objects that it lists, at their field', () => {
    const program = programOf(
      compileExpression('amount * config.vat_rate(customer.country).rate', storedSite, view),
    )
    expect(program.asOfField).toEqual({ object: 'invoice', field: 'invoice_date' })
    expect(program.dated).toBe(true)
    expect(programOf(compileExpression('amount', storedSite, view))).toMatchObject({
      asOfField: null,
      dated: false,
    })
  })

  it('is refused for an object that is not listed, with the fix', () => {
    const problem = only('config.vat_rate("DE").rate', { kind: 'validation_rule', object: 'line' })
    expect(problem.code).toBe('expr.not_a_reader')
    expect(problem.message).toContain('vat_rate is effective-dated, but its asOfField has no field of line')
    expect(problem.message).toContain('Add line.<date field> to the asOfField of vat_rate.')
  })

  it('is refused through a calc function too', () => {
    expect(
      only('gross(amount, "DE")', { kind: 'virtual_formula', object: 'line', field: 'x' }).message,
    ).toMatch(/through calc function gross/)
  })

  it('behind a virtual formula uses the date of the record with the formula', () => {
    expect(problemsOf('invoice.taxed > amount', { kind: 'validation_rule', object: 'line' })).toEqual([])
  })

  it('uses the same date as the other dated sets of an expression', () => {
    expect(problemsOf('config.vat_rate("DE").rate * config.fx_rate("USD").rate')).toEqual([
      'expr.as_of_mixed @fx_rate',
    ])
    expect(problemsOf('gross(amount, "DE") * config.fx_rate("USD").rate')).toEqual([
      'expr.as_of_mixed @fx_rate',
    ])
    const order: ExpressionSite = { kind: 'stored_formula', object: 'order', field: 'total' }
    expect(problemsOf('config.vat_rate("DE").rate * config.parcel("DE").rate', order)).toEqual([])
  })

  it('needs an explicit date without a record', () => {
    const program = programOf(
      compileExpression('config.vat_rate(t).rate * config.fx_rate(t).rate', playground, view),
    )
    expect(program).toMatchObject({ asOfField: null, dated: true })
  })
})

describe('static reads', () => {
  it('name sets with fields, flags, functions, every step of a path, and indirect reads', () => {
    const { reads } = compileExpression(
      'flag.reverse_charge ? 0 : gross(amount, customer.parent.land) + config.limits.credit + net_price(config.limits.credit)',
      virtualSite,
      view,
    )
    expect(reads).toEqual({
      sets: [{ set: 'limits', fields: ['credit'] }],
      flags: ['reverse_charge'],
      functions: ['gross', 'net_price'],
      deepSets: [
        { set: 'discount', fields: ['rate'] },
        { set: 'limits', fields: ['credit'] },
        { set: 'vat_rate', fields: ['rate'] },
      ],
      deepFlags: ['reverse_charge'],
      deepFunctions: ['gross', 'net_price'],
      // The flag, and a credit that is an argument.
      followsValues: true,
      fields: [
        { object: 'customer', field: 'country' },
        { object: 'customer', field: 'parent' },
        { object: 'invoice', field: 'amount' },
        { object: 'invoice', field: 'customer' },
      ],
      credentials: [],
    })
  })

  it('go through functions of functions and virtual formulas', () => {
    const { reads } = compileExpression('both(1) + personal', virtualSite, view)
    expect(reads.functions).toEqual(['both'])
    expect(reads.deepFunctions).toEqual(['both', 'gross', 'net_price'])
    expect(reads.deepSets.map(({ set }) => set)).toEqual(['discount', 'vat_rate'])
    expect(reads.sets).toEqual([])
  })

  it('are found in an expression with problems, including unknown names', () => {
    const { reads } = compileExpression(
      'config.gone("x").rate + flag.gone + callout(crm, amount) + lost(1)',
      virtualSite,
      view,
    )
    expect(reads.sets).toEqual([{ set: 'gone', fields: ['rate'] }])
    expect(reads.flags).toEqual(['gone'])
    expect(reads.functions).toEqual(['lost'])
    expect(reads.credentials).toEqual(['crm'])
    expect(reads.fields).toEqual([{ object: 'invoice', field: 'amount' }])
  })
})

describe('calc functions', () => {
  const withFunctions = (...functions: ReturnType<typeof calcFunction>[]): MemoryView =>
    new MemoryView([...components, ...functions])

  it('that need each other are refused and named', () => {
    const cyclic = withFunctions(
      calcFunction('ping', [['x', 'number']], 'number', 'pong(x)'),
      calcFunction('pong', [['x', 'number']], 'number', 'ping(x) + 1'),
    )
    const site: ExpressionSite = {
      kind: 'calc_function',
      key: 'pong',
      params: [{ key: 'x', type: 'number' }],
    }
    const { problems } = compileExpression('ping(x) + 1', site, cyclic, 'number')
    expect(problems.map(({ code }) => code)).toEqual(['expr.function'])
    expect(problems[0]?.message).toContain('ping calls pong calls ping')
  })

  it('that do not compile are named at their calls', () => {
    const broken = withFunctions(calcFunction('broken', [], 'number', '1 + nothing'))
    const { problems } = compileExpression('broken()', virtualSite, broken)
    expect(problems).toMatchObject([{ code: 'expr.function', start: 0, end: 6 }])
    expect(problems[0]?.message).toContain('"nothing" is unknown')
  })

  it('see their parameters and configuration, but not a record', () => {
    const site: ExpressionSite = { kind: 'calc_function', key: 'f', params: [{ key: 'net', type: 'number' }] }
    expect(problemsOf('net * config.vat_rate("DE").rate', site, 'number')).toEqual([])
    expect(problemsOf('amount', site)).toEqual(['expr.unknown_name @amount'])
  })
})

describe('a formula', () => {
  const problemsOf = (type: string, more: object, expression: string, storedFormula = true) => {
    const formula = { expression, stored: storedFormula }
    const org = new MemoryView([
      ...components,
      objectOf('deal', [
        field('note', 'text'),
        field('buyer', 'reference', { references: 'customer' }),
        field('bill', 'reference', { references: 'invoice' }),
        field('x', type, { ...more, formula }),
      ]),
    ])
    const kind = storedFormula ? 'stored_formula' : 'virtual_formula'
    return compileExpression(expression, { kind, object: 'deal', field: 'x' }, org).problems
  }
  const currency = { valueSet: 'currency' }
  const customer = { references: 'customer' }

  it.each<[string, object, string, string[]]>([
    ['enum', currency, '"EUR"', []],
    ['enum', currency, 'note', []],
    ['enum', currency, '"EURO"', ['expr.unknown_name "EURO"']],
    ['enum', currency, 'note == "a" ? "EUR" : coalesce(note, "zz")', ['expr.unknown_name "zz"']],
    ['reference', customer, 'buyer', []],
    ['reference', customer, 'present(bill) ? bill.customer : null', []],
    ['reference', customer, 'note', []],
    ['reference', customer, '"x"', ['expr.result_type "x"']],
    ['reference', customer, 'coalesce(buyer, "x")', ['expr.result_type "x"']],
    ['reference', customer, 'bill', ['expr.result_type bill']],
    ['reference', customer, '1 + 1', ['expr.result_type 1 + 1']],
  ])('of type %s %j gives what its field can hold: %s', (type, more, expression, expected) => {
    for (const storedFormula of [true, false]) {
      const problems = problemsOf(type, more, expression, storedFormula)
      expect(problems.map(({ code, start, end }) => `${code} ${expression.slice(start, end)}`)).toEqual(
        expected,
      )
    }
  })

  it('suggests the nearest value', () => {
    expect(problemsOf('enum', currency, '"EURO"')).toMatchObject([{ suggestion: '"EUR"' }])
  })
})

describe('places', () => {
  it('count UTF-16 code units, in problems and errors, even after a character of two units', () => {
    const source = '"😀" == nowhere && text(1 / n).matches("😀[")'
    const { problems } = compileExpression(source, playground, view)
    expect(problems.map(({ start, end }) => source.slice(start, end))).toEqual(['nowhere', '"😀["'])
    expect(problems[1]?.message).toContain('at character 3:')
    const program = programOf(compileExpression('"😀" + text(1 / n)', playground, view))
    expect(() => program.evaluate(inputOf({ n: '0' }))).toThrow(
      expect.objectContaining({
        details: [{ start: 16, end: 17, calcFunction: null }],
        message: expect.stringContaining('at character 17: n') as string,
      }) as Error,
    )
  })
})
