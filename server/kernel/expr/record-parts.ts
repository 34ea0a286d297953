// Which parts of a filter depend on the record, and the values of those that do not.
import type { EvalInput } from './evaluate.ts'
import { evaluatorOf, readsResolverOf, type Library } from './library.ts'
import { createMeter } from './meter.ts'
import { partsOf, type TypedExpression } from './typed-tree.ts'
import type { ExprValue } from './values.ts'

/** What a filter is computed from before the records are queried. */
export type Constants = Omit<EvalInput, 'field'>
export type Build<T> = (input: Constants) => T

export class RecordParts {
  readonly #source: string
  readonly #library: Library
  /** Whether each node depends on the record: asked for the same ones again at each level of a tree. */
  readonly #reading = new Map<TypedExpression, boolean>()

  constructor(source: string, library: Library) {
    this.#source = source
    this.#library = library
  }

  /** @param node does not depend on the record */
  constant(node: TypedExpression): Build<ExprValue> {
    const run = evaluatorOf(this.#library, node, this.#source, null)
    return (input) => run({ input: { ...input, field: () => null }, locals: [], meter: createMeter() })
  }

  /** Whether a value differs from record to record: it reads a field, or a set as of a date of the record. */
  reads(node: TypedExpression): boolean {
    let reads = this.#reading.get(node)
    if (reads === undefined) {
      reads = this.#readsItself(node) || partsOf(node).some((part) => this.reads(part))
      this.#reading.set(node, reads)
    }
    return reads
  }

  #readsItself(node: TypedExpression): boolean {
    if (node.op === 'field' || node.op === 'record_id') return true
    if (node.op === 'row') return this.#isDated(node.set)
    if (node.op !== 'calc') return false
    const sets = readsResolverOf(this.#library).ofFunction(node.function)?.deepSets ?? []
    return sets.some(({ set }) => this.#isDated(set))
  }

  #isDated(set: string): boolean {
    return this.#library.view.get('config_set', set)?.body.effectiveDated === true
  }
}
