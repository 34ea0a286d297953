// Builds the condition of a virtual object's source from a checked tree, and names each part that the source would
// decide differently.
import type { ObjectField } from '../components/object/body.ts'
import { remoteKindOf, type RemoteKind } from '../components/object/remote-type.ts'
import { decimal, type Decimal } from '../decimal/decimal.ts'
import type { FilterOperator } from './filter.ts'
import type { Library } from './library.ts'
import { fieldOf } from './names.ts'
import { RecordParts, type Build } from './record-parts.ts'
import {
  arithmetic,
  constantOperand,
  equalToAny,
  never,
  type RemoteFilter,
  type RemoteOperand,
} from './remote-condition.ts'
import { flipped, remoteFunctions, textTests, wholePosition } from './remote-functions.ts'
import { reasons } from './remote-reasons.ts'
import type { Span, TypedExpression } from './typed-tree.ts'
import { DateValue, type ExprValue } from './values.ts'

/** An operand, or null if it is absent for every row. */
type BuildOperand = Build<RemoteOperand | null>

const nothing: BuildOperand = () => null

export class RemoteFilterBuilder {
  readonly refused: (Span & { what: string })[] = []
  readonly fields = new Set<string>()
  readonly #library: Library
  readonly #parts: RecordParts
  readonly #compiles: boolean

  constructor(source: string, library: Library, compiles: boolean) {
    this.#library = library
    this.#parts = new RecordParts(source, library)
    this.#compiles = compiles
  }

  condition(node: TypedExpression): Build<RemoteFilter> {
    if (!this.#parts.reads(node)) {
      const value = this.#constant(node)
      return (input) => ({ op: 'constant', value: value(input) === true })
    }
    // A condition of a different type is reported elsewhere.
    if (node.type.kind !== 'boolean') return () => never
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
      case 'field': {
        const field = this.#field(node)
        return field === null ? () => never : () => ({ op: 'is_true', field: field.key })
      }
      case 'binary':
        return node.operator === 'in' ? this.#in(node) : this.#compare(node)
      case 'builtin':
        return this.#test(node)
      default:
        this.#operand(node)
        return () => never
    }
  }

  #compare(node: TypedExpression & { op: 'binary' }): Build<RemoteFilter> {
    const [left, right] = [node.left, node.right]
    const operator = node.operator as FilterOperator
    const day = this.#compareDay(left, operator, right) ?? this.#compareDay(right, flipped[operator], left)
    if (day !== null) return day
    const build = [this.#value(left), this.#value(right)] as const
    this.#requireComparable(node)
    return (input) => {
      const [a, b] = [build[0](input), build[1](input)]
      return a === null || b === null ? never : { op: 'compare', operator, left: a, right: b }
    }
  }

  /** The UTC date of a datetime is between two moments; the source would take the date at the offset of the value. */
  #compareDay(
    node: TypedExpression,
    operator: FilterOperator,
    other: TypedExpression,
  ): Build<RemoteFilter> | null {
    const of = node.op === 'builtin' && node.builtIn.name === 'date' ? node.args[0] : undefined
    if (of?.op !== 'field' || of.type.kind !== 'datetime' || this.#parts.reads(other)) return null
    const field = this.#field(of)
    const day = this.#constant(other)
    return (input) => {
      const value = day(input)
      if (field === null || !(value instanceof DateValue)) return never
      return { op: 'compare_day', operator, field: field.key, day: value.date }
    }
  }

  #requireComparable({ operator, left, right }: TypedExpression & { op: 'binary' }): void {
    const isOrder = operator !== '==' && operator !== '!='
    const [a, b] = [this.#kind(left), this.#kind(right)]
    const unordered = [left, right].find((side) => this.#parts.reads(side) && isText(side))
    if (isOrder && unordered !== undefined) return this.#refuse(unordered, reasons.textOrder)
    if (a === null || b === null || a === b || (isNumeric(a) && isNumeric(b))) return
    this.#refuse(right, reasons.kinds(a, b))
  }

  /** How the source sees an operand; null for a constant, which takes the form of the other operand. */
  #kind(node: TypedExpression): RemoteKind | null {
    if (!this.#parts.reads(node)) return null
    if (node.op === 'field') {
      const field = this.#fieldOf(node)
      return field === null ? null : remoteKindOf(field)
    }
    return isText(node) ? 'string' : node.type.kind === 'decimal' ? 'decimal' : null
  }

  #in({ left, right }: TypedExpression & { op: 'binary' }): Build<RemoteFilter> {
    const of = this.#value(left)
    if (right.op === 'list') {
      const items = right.items.map((item) => {
        const build = this.#value(item)
        this.#requireComparable({ ...right, op: 'binary', operator: '==', left, right: item })
        return build
      })
      return (input) =>
        equalToAny(
          of(input),
          items.map((item) => item(input)),
        )
    }
    if (this.#parts.reads(right)) {
      this.#operand(right)
      return () => never
    }
    const values = this.#constant(right)
    return (input) => {
      const items = (values(input) ?? []) as readonly ExprValue[]
      return equalToAny(of(input), items.map(constantOperand))
    }
  }

  #test(node: TypedExpression & { op: 'builtin' }): Build<RemoteFilter> {
    const { name } = node.builtIn
    if (name === 'present') return this.#present(node.args[0]!)
    const op = textTests[name]
    if (op === undefined) {
      this.#operand(node)
      return () => never
    }
    const [of, text] = [this.#string(node.args[0]!), this.#string(node.args[1]!)]
    return (input) => {
      const [a, b] = [of(input), text(input)]
      return a === null || b === null ? never : { op, of: a, text: b }
    }
  }

  #present(node: TypedExpression): Build<RemoteFilter> {
    const of = this.#value(node)
    return (input) => {
      const value = of(input)
      return value === null ? never : { op: 'present', of: value }
    }
  }

  /** An operand that is not a condition. */
  #value(node: TypedExpression): BuildOperand {
    if (this.#parts.reads(node) && isCondition(node)) {
      this.#refuse(node, reasons.condition)
      return nothing
    }
    return this.#operand(node)
  }

  #operand(node: TypedExpression): BuildOperand {
    // Parts that do not depend on the row are computed before the source is queried.
    if (!this.#parts.reads(node)) {
      const value = this.#constant(node)
      return (input) => constantOperand(value(input))
    }
    switch (node.op) {
      case 'field': {
        const field = this.#field(node)
        return field === null ? nothing : () => ({ op: 'field', field: field.key })
      }
      case 'negate': {
        const of = this.#number(node.of)
        return (input) => arithmetic('-', constantOperand(decimal(0)), of(input))
      }
      case 'binary':
        return this.#binary(node)
      case 'builtin':
        return this.#call(node)
      default:
        this.#refuse(node, reasons.node(node))
        return nothing
    }
  }

  #binary(node: TypedExpression & { op: 'binary' }): BuildOperand {
    const { operator, left, right } = node
    if (operator === '/' || operator === '%') {
      this.#refuse(node, reasons.operator[operator])
      return nothing
    }
    const isConcat = node.type.kind === 'text'
    const build = [left, right].map((side) => (isConcat ? this.#string(side) : this.#number(side)))
    return (input) => {
      const [a, b] = [build[0]!(input), build[1]!(input)]
      if (!isConcat) return arithmetic(operator as '+', a, b)
      return a === null || b === null ? null : { op: 'call', function: 'concat', args: [a, b] }
    }
  }

  #call(node: TypedExpression & { op: 'builtin' }): BuildOperand {
    const { name } = node.builtIn
    const [first, ...rest] = node.args
    const call = remoteFunctions[name]
    const kind = first?.type.kind
    const isSameDate = name === 'date' && kind === 'date'
    const isMoment = kind === 'datetime' && (name === 'date' || call?.of === 'date')
    if (isSameDate) return this.#operand(first!)
    if (call === undefined || isMoment || kind === 'list') {
      this.#refuse(node, isMoment ? reasons.moment(name) : reasons.call(name))
      return nothing
    }
    const of = call.of === 'text' ? this.#string(first!) : this.#numberOrDate(first!, call.of)
    const args = [of, ...rest.map((arg) => this.#position(arg))]
    return (input) => {
      const built = args.map((arg) => arg(input))
      if (!built.every((arg) => arg !== null)) return null
      return { op: 'call', function: call.function, args: built }
    }
  }

  /** A position in a text: a constant, which is computed before. */
  #position(node: TypedExpression): BuildOperand {
    if (this.#parts.reads(node)) {
      this.#refuse(node, reasons.position)
      return nothing
    }
    const value = this.#constant(node)
    return (input) => {
      const position = value(input)
      return position === null ? null : { op: 'value', value: wholePosition(position as Decimal) }
    }
  }

  #string(node: TypedExpression): BuildOperand {
    const kind = this.#kind(node)
    if (kind !== null && kind !== 'string') this.#refuse(node, reasons.notText(kind))
    return this.#value(node)
  }

  #numberOrDate(node: TypedExpression, of: 'number' | 'date'): BuildOperand {
    return of === 'date' ? this.#value(node) : this.#number(node)
  }

  #number(node: TypedExpression): BuildOperand {
    if (this.#kind(node) === 'float') this.#refuse(node, reasons.float)
    return this.#value(node)
  }

  #field(node: TypedExpression & { op: 'field' }): ObjectField | null {
    const field = this.#fieldOf(node)
    const { object } = node.steps[0]!
    if (node.prior || field === null) {
      this.#refuse(node, reasons.path(object))
      return null
    }
    if (field.formula !== undefined) {
      this.#refuse(node, reasons.formula(field.key))
      return null
    }
    this.fields.add(field.key)
    return field
  }

  #fieldOf({ steps }: TypedExpression & { op: 'field' }): ObjectField | null {
    const [step, ...more] = steps
    return more.length > 0 ? null : (fieldOf(this.#library.view, step!.object, step!.field) ?? null)
  }

  #constant(node: TypedExpression): Build<ExprValue> {
    return this.#compiles ? this.#parts.constant(node) : () => null
  }

  #refuse({ start, end }: Span, what: string): void {
    this.refused.push({ start, end, what })
  }
}

const isCondition = (node: TypedExpression): boolean => node.type.kind === 'boolean' && node.op !== 'field'
const isText = (node: TypedExpression): boolean => node.type.kind === 'text'
const isNumeric = (kind: RemoteKind): boolean => kind === 'integer' || kind === 'decimal' || kind === 'float'
