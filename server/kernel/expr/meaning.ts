// What expressions compute, apart from how they are written: spaces, comments, brackets, aliases and the keys of what they
// read do not count; the calc functions that they call and the virtual formulas that they read do.
import type { ExpressionSite } from '../components/expression-slot.ts'
import type { ObjectField } from '../components/object/body.ts'
import type { ComponentView } from '../components/view.ts'
import { checkedTree } from './compile.ts'
import { fieldOf } from './names.ts'
import { walk, type FieldStep, type TypedExpression } from './typed-tree.ts'
import { toCanonicalJson } from './values.ts'

/** The identities behind the keys of a view, which a rename keeps. */
export interface MeaningNames {
  component(id: `${'config_set' | 'feature_flag' | 'object'}/${string}`): string
  field(object: string, field: string): string
}

/** Gives equal texts equal numbers. Shared by the views that are compared. */
export class MeaningNumbers {
  readonly #numbers = new Map<string, number>()

  of(parts: readonly unknown[]): number {
    const text = JSON.stringify(parts)
    let number = this.#numbers.get(text)
    if (number === undefined) this.#numbers.set(text, (number = this.#numbers.size + 1))
    return number
  }
}

/** The meanings of a view: two are the same number if and only if they compute the same. */
export class Meanings {
  readonly #view: ComponentView
  readonly #names: MeaningNames
  readonly #numbers: MeaningNumbers
  /** Of functions and virtual formulas; null while one is looked at, so that a cycle ends. */
  readonly #known = new Map<string, number | null>()

  constructor(view: ComponentView, names: MeaningNames, numbers: MeaningNumbers) {
    this.#view = view
    this.#names = names
    this.#numbers = numbers
  }

  /** Of a stored formula or a roll-up; null for any other field. */
  ofStoredField(object: string, field: ObjectField): number | null {
    const { key, formula, rollup } = field
    if (rollup !== undefined) return this.#ofRollUp(object, key, rollup)
    if (formula?.stored !== true) return null
    return this.#ofExpression(formula.expression, { kind: 'stored_formula', object, field: key })
  }

  #ofRollUp(object: string, field: string, rollup: NonNullable<ObjectField['rollup']>): number {
    const { child, via, op, of = null, filter } = rollup
    const idOf = (name: string): string =>
      this.#names.field(child, fieldOf(this.#view, child, name)?.key ?? name)
    const condition =
      filter === undefined
        ? null
        : this.#ofExpression(filter, { kind: 'rollup_filter', object, field, child })
    const over = this.#names.component(`object/${child}`)
    return this.#numbers.of(['rollup', op, over, idOf(via), of === null ? null : idOf(of), condition])
  }

  /** An expression that does not compile means its text. */
  #ofExpression(source: string, site: ExpressionSite): number {
    const tree = checkedTree(source, site, this.#view)
    if (tree === null || [...walk(tree)].some(({ op }) => op === 'error'))
      return this.#numbers.of(['text', source])
    return this.#ofNode(tree)
  }

  #ofNode(node: TypedExpression): number {
    return this.#numbers.of(this.#partsOf(node))
  }

  #partsOf(node: TypedExpression): readonly unknown[] {
    const { op } = node
    const of = (part: TypedExpression | null): number | null => (part === null ? null : this.#ofNode(part))
    switch (node.op) {
      case 'literal':
        return [op, node.type.kind, toCanonicalJson(node.value)]
      case 'local':
        return [op, node.slot]
      case 'input':
        return [op, node.name]
      case 'record_id':
      case 'is_new':
        return [op]
      case 'field':
        return [op, node.prior, ...node.steps.map((step) => this.#ofStep(step))]
      case 'flag':
        return [op, this.#names.component(`feature_flag/${node.flag}`)]
      case 'row':
        return [op, this.#names.component(`config_set/${node.set}`), of(node.key)]
      case 'config':
        return [op, of(node.row), node.field]
      case 'builtin':
        return [op, node.builtIn.name, ...node.args.map(of)]
      case 'calc':
        return [op, this.#ofFunction(node.function), ...node.args.map(of)]
      case 'binary':
        return [op, node.operator, of(node.left), of(node.right)]
      case 'and':
      case 'or':
        return [op, of(node.left), of(node.right)]
      case 'not':
      case 'negate':
      case 'changed':
        return [op, of(node.of)]
      case 'choose':
        return [op, of(node.when), of(node.then), of(node.otherwise)]
      case 'list':
        return [op, ...node.items.map(of)]
      case 'member':
        return [op, of(node.of), node.member]
      case 'index':
        return [op, of(node.of), of(node.at)]
      case 'macro':
        return [op, node.macro, node.slot, of(node.over), of(node.test), of(node.result)]
      case 'error':
        return [op, ...node.parts.map(of)]
    }
  }

  #ofStep({ object, field }: FieldStep): number | string {
    const formula = fieldOf(this.#view, object, field)?.formula
    if (formula === undefined || formula.stored) return this.#names.field(object, field)
    const site = { kind: 'virtual_formula' as const, object, field }
    return this.#once(`${object}.${field}`, () => this.#ofExpression(formula.expression, site))
  }

  #ofFunction(key: string): number | string {
    const { expression, params, returns } = this.#view.get('calc_function', key)!.body
    return this.#once(`${key}()`, () => {
      const types = params.map(({ type }) => type)
      const body = this.#ofExpression(expression, { kind: 'calc_function', key, params })
      return this.#numbers.of(['function', types, returns, body])
    })
  }

  #once(name: string, find: () => number): number | string {
    const known = this.#known.get(name)
    if (known === null) return `cycle ${name}`
    if (known !== undefined) return known
    this.#known.set(name, null)
    const found = find()
    this.#known.set(name, found)
    return found
  }
}
