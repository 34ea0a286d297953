// The formulas and roll-ups of all objects, with the fields that each reads.
import type { ExpressionSite } from '../components/expression-slot.ts'
import type { ObjectField } from '../components/object/body.ts'
import type { ComponentView } from '../components/view.ts'
import { checkedTree } from './compile.ts'
import { fieldOf } from './names.ts'
import { walk } from './typed-tree.ts'

export interface ComputedField {
  object: string
  field: string
  /** JSON pointer to the formula or the roll-up in the object. */
  path: string
  isStored: boolean
  /** The fields that it reads, as `<object>.<field>`, across references too. */
  needs: string[]
}

/** Returns every formula, stored or virtual, and every roll-up. */
export function computedFields(view: ComponentView): ComputedField[] {
  return [...view.list('object')].flatMap(({ key: object, body }) =>
    body.fields.flatMap((field, index): ComputedField[] => {
      const { formula, rollup } = field
      if (formula === undefined && rollup === undefined) return []
      const part = rollup === undefined ? 'formula/expression' : 'rollup'
      const needs = [...formulaNeeds(object, field, view), ...rollupNeeds(object, field, view)]
      const isStored = rollup !== undefined || formula!.stored
      return [{ object, field: field.key, path: `/body/fields/${index}/${part}`, isStored, needs }]
    }),
  )
}

function formulaNeeds(object: string, { key: field, formula }: ObjectField, view: ComponentView): string[] {
  if (formula === undefined) return []
  const kind = formula.stored ? 'stored_formula' : 'virtual_formula'
  return fieldsRead(formula.expression, { kind, object, field }, view)
}

/** Returns the child field that is rolled up, the field that links its rows, and the fields that the filter reads. */
function rollupNeeds(object: string, { key: field, rollup }: ObjectField, view: ComponentView): string[] {
  if (rollup === undefined) return []
  const { child, via, of, filter } = rollup
  const fields = [via, of].flatMap((name) =>
    name === undefined ? [] : [`${child}.${fieldOf(view, child, name)?.key ?? name}`],
  )
  if (filter === undefined) return fields
  return [...fields, ...fieldsRead(filter, { kind: 'rollup_filter', object, field, child }, view)]
}

function fieldsRead(source: string, site: ExpressionSite, view: ComponentView): string[] {
  const tree = checkedTree(source, site, view)
  if (tree === null) return []
  return [...walk(tree)].flatMap((node) =>
    node.op === 'field' ? node.steps.map(({ object, field }) => `${object}.${field}`) : [],
  )
}
