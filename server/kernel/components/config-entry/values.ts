// Checks the values of an entry against the fields of its set: normal form, and why a value is not valid.
import { explainCivilDate, parseCivilDate } from '../../dates/civil-date.ts'
import { normaliseNumber } from '../../decimal/decimal.ts'
import { didYouMean } from '../../errors/suggest.ts'
import type { FindingCode } from '../../errors/finding-codes.ts'
import type { ConfigField } from '../config-set/body.ts'
import type { FieldValue } from '../field-types.ts'
import { joinWithOr } from '../report.ts'
import { valuesByKey } from '../value-set/members.ts'
import type { ComponentView } from '../view.ts'

/** Returns the value in the normal form of its field: a number with exactly `scale` digits. A value that is not valid stays unchanged. */
export function normaliseValue(field: ConfigField, value: FieldValue): FieldValue {
  if (field.type !== 'number' || typeof value !== 'string') return value
  if (field.precision === undefined || field.scale === undefined) return value
  const normal = normaliseNumber(value, field.precision, field.scale)
  return normal.ok ? normal.text : value
}

export interface ValueIssue {
  code: FindingCode
  message: string
  /** Whether it is only a warning. */
  isWarning?: true
}

/** Returns null if the value is valid for its field. The value is not null. */
export function explainValue(
  field: ConfigField,
  value: string | boolean,
  view: ComponentView,
): ValueIssue | null {
  switch (field.type) {
    case 'number':
      return typeof value === 'string'
        ? explainNumber(field, value)
        : wrongType(field, value, 'a number such as 0.19, as text')
    case 'date':
      return typeof value === 'string'
        ? explainDate(field, value)
        : wrongType(field, value, 'a date such as 2025-12-31')
    case 'boolean':
      return typeof value === 'boolean' ? null : wrongType(field, value, 'true or false')
    case 'enum':
      return typeof value === 'string'
        ? explainEnum(field, value, view)
        : wrongType(field, value, 'a key of its value set')
    case 'text':
      return typeof value === 'string' ? null : wrongType(field, value, 'text')
    case 'credential_reference':
      return typeof value === 'string' ? null : wrongType(field, value, 'the key of a credential')
  }
}

function explainNumber(field: ConfigField, value: string): ValueIssue | null {
  if (field.precision === undefined || field.scale === undefined) return null
  const normal = normaliseNumber(value, field.precision, field.scale)
  if (normal.ok) return null
  const codes = {
    syntax: 'config.value_type',
    scale: 'config.value_scale',
    precision: 'config.value_precision',
  } as const
  return { code: codes[normal.reason], message: `${field.key}: ${normal.hint}` }
}

function explainDate(field: ConfigField, value: string): ValueIssue | null {
  if (parseCivilDate(value) !== null) return null
  return {
    code: 'config.value_type',
    message: `${field.key}: ${explainCivilDate(value) ?? `${value} is not a date`}.`,
  }
}

function explainEnum(field: ConfigField, value: string, view: ComponentView): ValueIssue | null {
  const valueSet = field.valueSet === undefined ? undefined : view.get('value_set', field.valueSet)
  if (valueSet === undefined) return null
  const membersByKey = valuesByKey(valueSet)
  const member = membersByKey.get(value)
  if (member !== undefined) {
    const message = `${field.key}: "${value}" is no longer active in the value set ${valueSet.key}.`
    return member.active ? null : { code: 'config.value_inactive', message, isWarning: true }
  }
  const near = didYouMean(value, membersByKey.keys())
  const allowed = membersByKey.size <= 8 ? ` It has ${joinWithOr(membersByKey.keys())}.` : ''
  return {
    code: 'config.value_enum',
    message: `${field.key}: "${value}" is not in the value set ${valueSet.key}.${near === '' ? allowed : near}`,
  }
}

function wrongType(field: ConfigField, value: string | boolean, expectedForm: string): ValueIssue {
  const shown = typeof value === 'string' ? `"${value.slice(0, 40)}"` : String(value)
  return {
    code: 'config.value_type',
    message: `${field.key} is of type ${field.type}, but the value is ${shown}: write ${expectedForm}.`,
  }
}
