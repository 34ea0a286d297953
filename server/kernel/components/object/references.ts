// Outgoing edges of an object. Edges to its own fields are included, so that where-used of a field is complete.
import type { ComponentOf } from '../body-types.ts'
import type { Reference } from '../define.ts'
import { edge } from '../edges.ts'
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
