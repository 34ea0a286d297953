// Rules for roll-ups: a local child that refers to this object, and an operand that the operation supports.
import type { Finding } from '../../errors/finding.ts'
import type { ComponentOf } from '../body-types.ts'
import { idOf } from '../component.ts'
import type { Rule } from '../define.ts'
import { objectFieldOf } from './field-named.ts'
import { pointer } from '../pointer.ts'
import { errorFinding } from '../report.ts'
import type { ObjectField } from './body.ts'

type Rollup = NonNullable<ObjectField['rollup']>

const rollups: Rule<'object'> = (object, { view }) =>
  object.body.fields.flatMap((field, at) => {
    if (field.rollup === undefined || object.body.storage !== 'local') return []
    const child = view.get('object', field.rollup.child)
    return rollupFindings(object, field, field.rollup, child).map(([property, message]): Finding => {
      const related = child === undefined ? [] : [{ component: idOf(child), path: '' }]
      return errorFinding(object, pointer('body', 'fields', at, ...property), 'object.rollup', message, {
        related,
      })
    })
  })

type Issue = [property: string[], message: string]

function rollupFindings(
  object: ComponentOf<'object'>,
  field: ObjectField,
  rollup: Rollup,
  child: ComponentOf<'object'> | undefined,
): Issue[] {
  const issues: Issue[] = []
  const { op, of } = rollup
  if (op === 'count' && of !== undefined)
    issues.push([['rollup', 'of'], `${field.key} counts rows and does not need an operand. Remove "of".`])
  if (op !== 'count' && of === undefined)
    issues.push([['rollup'], `${field.key} has no operand for ${op}. Add "of" with a field of the child.`])
  if (child === undefined) return [...issues, ...resultType(field, rollup, undefined)]
  if (child.body.storage === 'external') {
    const message = `${field.key} rolls up ${child.key}, which is virtual. A roll-up cannot use remote rows. Import them into a local object first.`
    issues.push([['rollup', 'child'], message])
  }
  const via = objectFieldOf(child, rollup.via)
  if (via !== undefined && (via.type !== 'reference' || via.references !== object.key)) {
    const message = `${child.key}.${via.key} does not refer to ${object.key}. Choose the reference field of ${child.key} that does.`
    issues.push([['rollup', 'via'], message])
  }
  if (via?.formula?.stored === false) {
    const message = `${child.key}.${via.key} is a virtual formula, which is computed when it is read. Choose a reference that is entered or stored.`
    issues.push([['rollup', 'via'], message])
  }
  const operand = of === undefined ? undefined : objectFieldOf(child, of)
  if (operand?.formula?.stored === false) {
    const message = `${child.key}.${operand.key} is a virtual formula, which is computed when it is read. Roll up a stored formula or an entered field.`
    issues.push([['rollup', 'of'], message])
  }
  return [...issues, ...resultType(field, rollup, operand)]
}

function resultType(field: ObjectField, { op }: Rollup, operand: ObjectField | undefined): Issue[] {
  if (op === 'min' || op === 'max') {
    if (operand === undefined) return []
    if (!['number', 'date', 'datetime'].includes(operand.type))
      return [
        [
          ['rollup', 'of'],
          `${op} works on numbers and dates, but ${operand.key} is of type ${operand.type}.`,
        ],
      ]
    if (operand.type === field.type) return []
    return [
      [
        ['type'],
        `The ${op} of ${operand.key} is of type ${operand.type}, but ${field.key} is of type ${field.type}. Make it ${operand.type}.`,
      ],
    ]
  }
  const issues: Issue[] = []
  if (op !== 'count' && operand !== undefined && operand.type !== 'number')
    issues.push([['rollup', 'of'], `${op} works on numbers, but ${operand.key} is of type ${operand.type}.`])
  if (field.type !== 'number')
    issues.push([['type'], `A ${op} is a number, but ${field.key} is of type ${field.type}. Make it number.`])
  return issues
}

export const rollupRules: readonly Rule<'object'>[] = [rollups]
