// Finds the field that receives the result of an expression: a formula's own field, or the one that an action sets.
import type { ExpressionSite, ParamType } from '../components/expression-slot.ts'
import type { ObjectFieldType } from '../components/field-types.ts'
import type { ComponentView } from '../components/view.ts'
import type { ServiceType } from '../components/external-service/service-types.ts'
import { fieldOf } from './names.ts'
import { typeOfArgument } from './service-values.ts'

export interface ResultField {
  /** `invoice.due`, for messages. */
  name: string
  type: ObjectFieldType
  precision?: number
  scale?: number
  valueSet?: string
  references?: string
}

/** Null if the result has no declared field, or one that another finding reports as unknown. */
export function resultField(site: ExpressionSite, view: ComponentView): ResultField | null {
  if (site.kind === 'stored_formula' || site.kind === 'virtual_formula') {
    const field = fieldOf(view, site.object, site.field)
    return field?.formula === undefined ? null : { ...field, name: `${site.object}.${field.key}` }
  }
  if (site.kind === 'field_default') {
    const field = fieldOf(view, site.object, site.field)
    return field?.default === undefined ? null : { ...field, name: `${site.object}.${field.key}` }
  }
  if (site.kind !== 'automation' || site.into === undefined) return null
  const { into } = site
  if (into.kind === 'return' || into.kind === 'credential' || into.kind === 'argument') return null
  if (into.kind === 'record')
    return { name: 'the record to change', type: 'reference', references: into.object }
  const field =
    into.kind === 'field'
      ? fieldOf(view, into.object, into.field)
      : view.get('event_channel', into.channel)?.body.schema?.find(({ key }) => key === into.field)
  if (field === undefined) return null
  return { ...field, name: `${into.kind === 'field' ? into.object : into.channel}.${field.key}` }
}

const paramTypes: Record<ObjectFieldType, ParamType | null> = {
  text: 'text',
  enum: 'text',
  number: 'number',
  boolean: 'boolean',
  date: 'date',
  datetime: 'datetime',
  reference: null,
}

/** Lists and objects are checked by a separate rule. */
const argumentTypes: Readonly<Partial<Record<ServiceType['kind'], ParamType>>> = {
  ...{ text: 'text', decimal: 'number', boolean: 'boolean', date: 'date', datetime: 'datetime' },
}

/** Returns the required type of an action's value; null if any type is accepted or a separate rule checks it. */
export function typeOfResult(site: ExpressionSite, view: ComponentView): ParamType | null {
  if (site.kind === 'automation' && site.into?.kind === 'argument') {
    const kind = typeOfArgument(view, site.into.operation, site.into.path)?.type.kind
    return kind === undefined ? null : (argumentTypes[kind] ?? null)
  }
  const field = site.kind === 'automation' ? resultField(site, view) : null
  return field === null ? null : paramTypes[field.type]
}
