// Translates a boolean expression over stored records to conditions that a database applies
// (docs/reference/expressions.md). Parts that do not depend on the record are computed before.
import type { ExpressionSite } from '../components/expression-slot.ts'
import { checkExpression } from './check.ts'
import type { Library } from './library.ts'
import { fieldOf, scopeOf } from './names.ts'
import { isTree, parseExpression } from './parse.ts'
import type { ExprProblem } from './problem.ts'
import { RecordParts, type Build, type Constants } from './record-parts.ts'
import type { FieldStep, Span, TypedExpression } from './typed-tree.ts'
import type { ExprValue } from './values.ts'

/** A field of the filtered record, or of one that it refers to: the keys of references, then of the field. The id without steps. */
export interface FilterField {
  readonly steps: readonly Pick<FieldStep, 'object' | 'field'>[]
  /** Of a text that is compared in one case. */
  readonly letterCase?: LetterCase
}

export type LetterCase = 'lower' | 'upper'

export type FilterOperator = '==' | '!=' | '<' | '<=' | '>' | '>='
export type FilterOperand = { field: FilterField } | { value: ExprValue }

/** A condition is never absent: a comparison with an absent operand is false. */
export type Filter =
  | { op: 'constant'; value: boolean }
  | { op: 'and' | 'or'; left: Filter; right: Filter }
  | { op: 'not'; of: Filter }
  | { op: 'compare'; operator: FilterOperator; left: FilterOperand; right: FilterOperand }
  | { op: 'in'; field: FilterField; values: readonly ExprValue[] }
  | { op: 'present' | 'is_true'; field: FilterField }
  | { op: 'starts_with' | 'ends_with' | 'contains'; field: FilterField; text: string }

/** A filter before the parts that do not depend on the record are computed. */
export interface FilterPlan {
  /** @throws AlmanacError of the parts that are computed */
  filter(input: Constants): Filter
  /** The fields that it reads. */
  fields: readonly FilterField[]
}

export type FilterResult = { ok: true; plan: FilterPlan } | { ok: false; problems: ExprProblem[] }

/** @param source compiles without problems at this site */
export function filterPlanOf(source: string, site: ExpressionSite, library: Library): FilterResult {
  const ast = parseExpression(source)
  if (!isTree(ast)) return { ok: false, problems: [ast] }
  const { tree } = checkExpression(source, ast, scopeOf(site), library.view, 'boolean')
  return planOf(tree, source, library)
}

/** @param tree of an expression without other problems */
export function filterProblems(tree: TypedExpression, source: string, library: Library): ExprProblem[] {
  const result = planOf(tree, source, library)
  return result.ok ? [] : result.problems
}

function planOf(tree: TypedExpression, source: string, library: Library): FilterResult {
  const builder = new FilterBuilder(source, library)
  const filter = builder.condition(tree)
  if (builder.problems.length > 0) return { ok: false, problems: builder.problems }
  return { ok: true, plan: { filter, fields: builder.fields } }
}

const never: Build<Filter> = () => ({ op: 'constant', value: false })

class FilterBuilder {
  readonly problems: ExprProblem[] = []
  readonly fields: FilterField[] = []
  readonly #library: Library
  readonly #parts: RecordParts

  constructor(source: string, library: Library) {
    this.#library = library
    this.#parts = new RecordParts(source, library)
  }

  condition(node: TypedExpression): Build<Filter> {
    if (!this.#parts.reads(node)) {
      const value = this.#parts.constant(node)
      return (input) => ({ op: 'constant', value: value(input) === true })
    }
    switch (node.op) {
      case 'and':
      case 'or': {
        const [left, right] = [this.condition(node.left), this.condition(node.right)]
        return (input) => ({ op: node.op, left: left(input), right: right(input) })
      }
      case 'not': {
        const of = this.condition(node.of)
        return (input) => ({ op: 'not', of: of(input) })
      }
      case 'field':
        return this.#withField(node, (field) => () => ({ op: 'is_true', field }))
      case 'binary':
        return node.operator === 'in' ? this.#in(node.left, node.right) : this.#compare(node)
      case 'builtin':
        return this.#call(node)
      case 'choose':
        return this.#refuse(node, 'a conditional "? :". Write it with && and ||')
      default:
        return this.#refuse(node, 'this condition')
    }
  }

  #compare(node: TypedExpression & { op: 'binary' }): Build<Filter> {
    const [left, right] = [this.#operand(node.left), this.#operand(node.right)]
    if (left === null || right === null) return never
    this.#requireSameForm(node)
    const operator = node.operator as FilterOperator
    return (input) => ({ op: 'compare', operator, left: left(input), right: right(input) })
  }

  /** The stored forms of two numbers can be compared only if they are the same. */
  #requireSameForm(node: TypedExpression & { op: 'binary' }): void {
    const [left, right] = [node.left, node.right].map((operand) => {
      const step = operand.op === 'field' ? operand.steps.at(-1) : undefined
      return step === undefined ? undefined : fieldOf(this.#library.view, step.object, step.field)
    })
    if (left?.type !== 'number' || right === undefined) return
    if (left.precision === right.precision && left.scale === right.scale) return
    this.#report(
      node,
      `A filter cannot compare ${left.key} and ${right.key}, because they have a different precision or scale. ` +
        'Store a formula that compares them, and filter by that field.',
    )
  }

  #operand(node: TypedExpression): Build<FilterOperand> | null {
    if (!this.#parts.reads(node)) {
      const value = this.#parts.constant(node)
      return (input) => ({ value: value(input) })
    }
    const field = this.#field(node)
    return field === null ? null : () => ({ field })
  }

  #in(of: TypedExpression, list: TypedExpression): Build<Filter> {
    if (this.#parts.reads(list))
      return this.#refuse(list, 'a list that depends on the record. Compare with ||')
    const values = this.#parts.constant(list)
    return this.#withField(of, (field) => (input) => {
      const items = values(input) as readonly ExprValue[] | null
      return { op: 'in', field, values: (items ?? []).filter((item) => item !== null) }
    })
  }

  #call(node: TypedExpression & { op: 'builtin' }): Build<Filter> {
    const { name } = node.builtIn
    const [of, text] = node.args
    if (name === 'present') return this.#withField(of!, (field) => () => ({ op: 'present', field }))
    const op = textTests[name]
    if (op === undefined) return this.#refuse(node, `${name}(…)`)
    if (this.#parts.reads(text!)) return this.#refuse(text!, 'a text that depends on the record')
    const searched = this.#parts.constant(text!)
    return this.#withField(of!, (field) => (input) => {
      const value = searched(input)
      return typeof value === 'string' ? { op, field, text: value } : never(input)
    })
  }

  #withField(node: TypedExpression, build: (field: FilterField) => Build<Filter>): Build<Filter> {
    const field = this.#field(node)
    return field === null ? never : build(field)
  }

  #field(node: TypedExpression): FilterField | null {
    const letterCase = node.op === 'builtin' ? letterCases[node.builtIn.name] : undefined
    const [text] = node.op === 'builtin' ? node.args : []
    // Of a field alone: two functions can give a different text than the outer one.
    if (letterCase !== undefined && text?.op === 'field') {
      const of = this.#field(text)
      return of === null ? null : { ...of, letterCase }
    }
    if (node.op === 'record_id') return { steps: [] }
    if (node.op !== 'field' || node.prior) {
      this.#refuse(node, describe(node))
      return null
    }
    const { view } = this.#library
    for (const { object, field } of node.steps)
      if (fieldOf(view, object, field)?.formula?.stored === false) {
        this.#refuse(
          node,
          `${field}, which is computed when it is read. Store the formula of ${object}.${field}`,
        )
        return null
      }
    const field = { steps: node.steps.map(({ object, field: key }) => ({ object, field: key })) }
    this.fields.push(field)
    return field
  }

  #refuse(span: Span, what: string): Build<Filter> {
    const way = what.includes('. ') ? '' : '. Store a formula with this condition, and filter by that field'
    this.#report(span, `A filter cannot use ${what}${way}.`)
    return never
  }

  #report({ start, end }: Span, message: string): void {
    this.problems.push({ code: 'expr.not_pushed_down', message, start, end })
  }
}

const letterCases: Readonly<Record<string, LetterCase>> = { lower: 'lower', upper: 'upper' }

const textTests: Readonly<Record<string, 'starts_with' | 'ends_with' | 'contains'>> = {
  startsWith: 'starts_with',
  endsWith: 'ends_with',
  contains: 'contains',
}

function describe(node: TypedExpression): string {
  switch (node.op) {
    case 'binary':
    case 'negate':
      return 'arithmetic over fields'
    case 'builtin':
      return `${node.builtIn.name}(…) of a field`
    case 'calc':
      return `the calc function ${node.function} of a field`
    case 'config':
    case 'row':
      return 'configuration that depends on the record'
    default:
      return 'this value'
  }
}
