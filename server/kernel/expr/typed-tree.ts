// The checked tree: every name is resolved, every node has a type and a place. Reads, closures and renames use it.
import type { ExprType } from '../components/expression-slot.ts'
import type { BuiltIn } from './functions.ts'
import type { ExprValue } from './values.ts'

/** Half-open range of UTF-16 code units in the source. */
export interface Span {
  start: number
  end: number
}

export interface FieldStep extends Span {
  object: string
  /** The field's key; the source can use an alias. */
  field: string
}

export type BinaryOperator = '+' | '-' | '*' | '/' | '%' | '==' | '!=' | '<' | '<=' | '>' | '>=' | 'in'
export type MacroName = 'all' | 'exists' | 'exists_one' | 'map' | 'filter'

export type TypedNode =
  | { op: 'literal'; value: ExprValue }
  /** A parameter of a calc function or a variable of a macro, by its slot. */
  | { op: 'local'; slot: number }
  /** A declared input: of the playground, of an invocable automation. */
  | { op: 'input'; name: string }
  /** `prior`: of the record as it was before the save. */
  | { op: 'field'; steps: readonly FieldStep[]; prior: boolean }
  /** The id of the record. */
  | { op: 'record_id' }
  /** Whether the save adds the record. */
  | { op: 'is_new' }
  /** Whether the save changes a field; of a new record, whether the field is present. */
  | { op: 'changed'; of: TypedExpression }
  | { op: 'flag'; flag: string; name: Span }
  | RowNode
  | { op: 'config'; row: TypedExpression<RowNode>; field: string; name: Span }
  | { op: 'builtin'; builtIn: BuiltIn; args: readonly TypedExpression[] }
  | { op: 'calc'; function: string; name: Span; args: readonly TypedExpression[] }
  | { op: 'binary'; operator: BinaryOperator; left: TypedExpression; right: TypedExpression }
  | { op: 'and' | 'or'; left: TypedExpression; right: TypedExpression }
  | { op: 'not' | 'negate'; of: TypedExpression }
  | { op: 'choose'; when: TypedExpression; then: TypedExpression; otherwise: TypedExpression }
  | { op: 'list'; items: readonly TypedExpression[] }
  /** Of an object of a service, of the result of a call, or of a value of unknown type. */
  | { op: 'member'; of: TypedExpression; member: string; name: Span }
  | { op: 'index'; of: TypedExpression; at: TypedExpression }
  | {
      op: 'macro'
      macro: MacroName
      over: TypedExpression
      slot: number
      test: TypedExpression | null
      result: TypedExpression | null
    }
  /** The place of a reported problem; its type fits any other, so one mistake is reported once. */
  | { op: 'error'; parts: readonly TypedExpression[]; credential?: string }

/** `config.<set>` or `config.<set>(<key>)`: a whole row, one field of which is read. */
export interface RowNode {
  op: 'row'
  set: string
  name: Span
  key: TypedExpression | null
}

export type TypedExpression<N extends TypedNode = TypedNode> = N & Span & { type: ExprType }

/** Returns the direct parts of a node, in source order. */
export function partsOf(node: TypedExpression): readonly TypedExpression[] {
  switch (node.op) {
    case 'literal':
    case 'local':
    case 'input':
    case 'field':
    case 'flag':
    case 'record_id':
    case 'is_new':
      return []
    case 'row':
      return node.key === null ? [] : [node.key]
    case 'config':
      return [node.row]
    case 'builtin':
    case 'calc':
      return node.args
    case 'binary':
    case 'and':
    case 'or':
      return [node.left, node.right]
    case 'not':
    case 'negate':
    case 'changed':
    case 'member':
      return [node.of]
    case 'index':
      return [node.of, node.at]
    case 'choose':
      return [node.when, node.then, node.otherwise]
    case 'list':
      return node.items
    case 'macro':
      return [node.over, node.test, node.result].filter((part) => part !== null)
    case 'error':
      return node.parts
  }
}

/** Yields the node and everything below it, in source order. */
export function* walk(node: TypedExpression): Iterable<TypedExpression> {
  // Not recursive: each node of a deep tree would be yielded through all of those above it.
  const left = [node]
  for (let each = left.pop(); each !== undefined; each = left.pop()) {
    yield each
    left.push(...partsOf(each).toReversed())
  }
}
