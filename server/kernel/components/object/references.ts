// Outgoing edges and expressions of an object. Edges to its own fields are edges too, so that where-used of a field is whole.
import type { ComponentOf } from '../body-types.ts'
import type { Reference } from '../define.ts'
import { edge } from '../edges.ts'
import type { ExpressionSlot, ParamType } from '../expression-slot.ts'
import type { ObjectFieldType } from '../field-types.ts'
import { pointer } from '../pointer.ts'
import type { LocalObjectBody, ObjectField } from './body.ts'

export function objectReferences({ key, body }: ComponentOf<'object'>): Reference[] {
  return [
    ...body.fields.flatMap(fieldEdges),
    ...(body.nameField === undefined ? [] : edge('object', key, ['nameField'], body.nameField)),
    ...(body.storage === 'external'
      ? edge('external_data_source', body.dataSource, ['dataSource'])
      : localEdges(key, body)),
  ]
}

function fieldEdges(field: ObjectField, at: number): Reference[] {
  const { rollup } = field
  const steps = ['fields', at]
  return [
    ...edge('value_set', field.valueSet, [...steps, 'valueSet']),
    ...edge('object', field.references, [...steps, 'references']),
    ...edge('object', rollup?.child, [...steps, 'rollup', 'child']),
    ...(rollup === undefined ? [] : edge('object', rollup.child, [...steps, 'rollup', 'via'], rollup.via)),
    ...(rollup?.of === undefined ? [] : edge('object', rollup.child, [...steps, 'rollup', 'of'], rollup.of)),
  ]
}

function localEdges(key: string, body: LocalObjectBody): Reference[] {
  const { ownerField, rules } = body.sharing
  const captured = body.capture.fields === 'all' ? [] : body.capture.fields
  return [
    ...body.validationRules.flatMap((rule, at) =>
      rule.field === undefined ? [] : edge('object', key, ['validationRules', at, 'field'], rule.field),
    ),
    ...(ownerField === undefined ? [] : edge('object', key, ['sharing', 'ownerField'], ownerField)),
    ...rules.flatMap((rule, at) =>
      edge('permission_set', rule.permissionSet, ['sharing', 'rules', at, 'permissionSet']),
    ),
    ...captured.flatMap((field, at) => edge('object', key, ['capture', 'fields', at], field)),
  ]
}

const resultOf: Record<ObjectFieldType, ParamType | 'any'> = {
  text: 'text',
  enum: 'text',
  number: 'number',
  boolean: 'boolean',
  date: 'date',
  datetime: 'datetime',
  reference: 'any',
}

export function objectExpressions({ key, body }: ComponentOf<'object'>): ExpressionSlot[] {
  const ofFields = body.fields.flatMap((field, at): ExpressionSlot[] => [
    ...(field.formula === undefined ? [] : [formulaSlot(key, field, field.formula, at)]),
    ...(field.rollup?.filter === undefined ? [] : [filterSlot(key, field.key, field.rollup.filter, at)]),
  ])
  if (body.storage === 'external') return ofFields
  const conditions = (
    kind: 'validation_rule' | 'sharing_rule',
    steps: readonly string[],
    rules: readonly { when: string }[],
  ): ExpressionSlot[] =>
    rules.map(({ when }, at) => ({
      path: pointer('body', ...steps, at, 'when'),
      source: when,
      site: { kind, object: key },
      expects: 'boolean',
    }))
  return [
    ...ofFields,
    ...conditions('validation_rule', ['validationRules'], body.validationRules),
    ...conditions('sharing_rule', ['sharing', 'rules'], body.sharing.rules),
  ]
}

function formulaSlot(
  object: string,
  field: ObjectField,
  formula: { expression: string; stored: boolean },
  at: number,
): ExpressionSlot {
  return {
    path: pointer('body', 'fields', at, 'formula', 'expression'),
    source: formula.expression,
    site: { kind: formula.stored ? 'stored_formula' : 'virtual_formula', object, field: field.key },
    expects: resultOf[field.type],
  }
}

function filterSlot(object: string, field: string, source: string, at: number): ExpressionSlot {
  return {
    path: pointer('body', 'fields', at, 'rollup', 'filter'),
    source,
    site: { kind: 'rollup_filter', object, field },
    expects: 'boolean',
  }
}
