// Types of expressions: how they are compared and how messages name them.
import type { ExprType, ParamType } from '../components/expression-slot.ts'
import { assertNever } from './assert-never.ts'

export const decimalType: ExprType = { kind: 'decimal' }
export const textType: ExprType = { kind: 'text' }
export const booleanType: ExprType = { kind: 'boolean' }
export const dateType: ExprType = { kind: 'date' }
export const datetimeType: ExprType = { kind: 'datetime' }
export const absentType: ExprType = { kind: 'absent' }
export const dynType: ExprType = { kind: 'dyn' }
export const unknownType: ExprType = { kind: 'unknown' }

const byFieldType: Readonly<Record<string, ExprType>> = {
  number: decimalType,
  text: textType,
  enum: textType,
  credential_reference: textType,
  boolean: booleanType,
  date: dateType,
  datetime: datetimeType,
}

/** Returns the type of a field's or parameter's value; a reference with a target is a record with fields. */
export function typeOfField(type: string, references?: string): ExprType {
  if (type === 'reference')
    return references === undefined ? textType : { kind: 'record', object: references }
  return byFieldType[type] ?? dynType
}

export function typeOfParam(type: ParamType): ExprType {
  return typeOfField(type)
}

/** Names a type for messages: "number", "text", "record of customer". */
export function typeName(type: ExprType): string {
  switch (type.kind) {
    case 'decimal':
      return 'number'
    case 'text':
    case 'boolean':
    case 'date':
    case 'datetime':
      return type.kind
    case 'record':
      return `record of ${type.object}`
    case 'row':
      return `row of ${type.set}`
    case 'list':
      return `list of ${typeName(type.of)}`
    case 'object':
      return `value of type ${type.service}.${type.name}`
    case 'call_result':
      return 'result of a call'
    case 'absent':
      return 'missing value'
    case 'unknown':
    case 'dyn':
      return 'value of unknown type'
    default:
      return assertNever(type)
  }
}

/** True if the type fits any other: unknown after an error, or always absent. */
export function isFlexibleType(type: ExprType): boolean {
  return type.kind === 'dyn' || type.kind === 'absent'
}

/** Whether values of the two types can be compared and mixed. A reference is its id, so it is compatible with text. */
export function isCompatible(a: ExprType, b: ExprType): boolean {
  if (isFlexibleType(a) || isFlexibleType(b)) return true
  if (a.kind === 'list' && b.kind === 'list') return isCompatible(a.of, b.of)
  if (a.kind === 'record' && b.kind === 'record') return a.object === b.object
  if (a.kind === 'record') return b.kind === 'text'
  if (b.kind === 'record') return a.kind === 'text'
  if (a.kind === 'object' && b.kind === 'object') return a.service === b.service && a.name === b.name
  return a.kind === b.kind && a.kind !== 'row' && a.kind !== 'call_result'
}

/** Returns the common type of two values; null if their types are not compatible. */
export function commonType(a: ExprType, b: ExprType): ExprType | null {
  if (a.kind === 'absent') return b
  if (b.kind === 'absent') return a
  if (isFlexibleType(a) || isFlexibleType(b)) return dynType
  if (!isCompatible(a, b)) return null
  if (a.kind === 'list' && b.kind === 'list') return { kind: 'list', of: commonType(a.of, b.of) ?? dynType }
  return a.kind === b.kind ? a : textType
}
