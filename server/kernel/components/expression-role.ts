// The role of an expression decides the names that it can use and its result type
// (docs/reference/resolution-and-dates.md). The body may be incomplete: an author needs help with an expression before
// the rest is done.
import { explainKey } from './component.ts'
import type { ActionTarget, EarlierCall, ExpressionPlace, Param, ParamType } from './expression-slot.ts'
import type { ObjectFieldType } from './field-types.ts'
import { payloadSteps } from './payload-steps.ts'

export type ExpressionRole =
  | 'field_default'
  | 'formula'
  | 'rollup_filter'
  | 'validation_rule'
  | 'sharing_rule'
  | 'list_filter'
  | 'automation_condition'
  | 'automation_value'
  | 'automation_credential'
  | 'calc_function'

type Json = Readonly<Record<string, unknown>>
type Steps = readonly (string | number)[]
type PlaceOf = (key: string, body: Json, steps: Steps) => ExpressionPlace

const places: Record<ExpressionRole, PlaceOf> = {
  field_default: (object, body, steps) => {
    const field = partAt(body, steps.slice(0, -1))
    return {
      site: { kind: 'field_default', object, field: text(field['key']) },
      expects: resultOf(field['type']),
    }
  },
  formula: (object, body, steps) => {
    const field = partAt(body, steps.slice(0, -2))
    const kind = partAt(field, ['formula'])['stored'] === true ? 'stored_formula' : 'virtual_formula'
    return { site: { kind, object, field: text(field['key']) }, expects: resultOf(field['type']) }
  },
  rollup_filter: (object, body, steps) => {
    const { key, rollup } = partAt(body, steps.slice(0, -2))
    const child = text(partAt(rollup, [])['child'])
    return { site: { kind: 'rollup_filter', object, field: text(key), child }, expects: 'boolean' }
  },
  validation_rule: (object) => ({ site: { kind: 'validation_rule', object }, expects: 'boolean' }),
  sharing_rule: (object) => ({ site: { kind: 'sharing_rule', object }, expects: 'boolean' }),
  list_filter: (_, { object }) => ({
    site: { kind: 'list_filter', object: text(object) },
    expects: 'boolean',
  }),
  automation_condition: (_, body, steps) => ({
    site: automationSite(body, undefined, earlierCalls(body, steps)),
    expects: 'boolean',
  }),
  automation_value: (_, body, steps) => ({
    site: automationSite(body, targetOf(body, steps), earlierCalls(body, steps)),
    expects: 'any',
  }),
  automation_credential: (_, body, steps) => ({
    site: automationSite(body, { kind: 'credential' }, earlierCalls(body, steps)),
    expects: 'text',
  }),
  calc_function: (key, { params, returns }) => ({
    site: { kind: 'calc_function', key, params: paramsOf(params) },
    expects: isParamType(returns) ? returns : 'any',
  }),
}

/** Whether the credential of a call is a key; otherwise it is an expression, which is never a single name. */
export const isCredentialKey = (text: string): boolean => explainKey('named_credential', text) === null

/** Returns the place of an expression in a complete or incomplete body; `steps` lead from the body to the expression. */
export function expressionPlace(
  role: ExpressionRole,
  key: string,
  body: unknown,
  steps: Steps,
): ExpressionPlace {
  return places[role](key, partAt(body, []), steps)
}

function automationSite(
  { object, phase, params }: Json,
  into?: ActionTarget,
  calls: EarlierCall[] = [],
): ExpressionPlace['site'] {
  return {
    ...(into === undefined ? {} : { into }),
    ...(calls.length === 0 ? {} : { calls }),
    kind: 'automation',
    object: typeof object === 'string' ? object : null,
    phase: text(phase),
    params: paramsOf(params),
  }
}

/** Returns the calls before an expression at `actions/<n>/…`, or all for `returns/<name>`. */
function earlierCalls(body: Json, [list, at]: Steps): EarlierCall[] {
  if (list !== 'actions' && list !== 'returns') return []
  const actions = body['actions']
  const earlier = Array.isArray(actions) ? (list === 'returns' ? actions : actions.slice(0, Number(at))) : []
  return earlier.flatMap((_, before) => {
    const { type, key, operation } = partAt(body, ['actions', before])
    if (type !== 'callout' || typeof key !== 'string') return []
    return [typeof operation === 'string' ? { action: key, operation } : { action: key }]
  })
}

/** Returns the target of an expression at `actions/<n>/…` or `returns/<name>`; undefined if it is not declared. */
function targetOf(body: Json, [list, at, property, name]: Steps): ActionTarget | undefined {
  if (list === 'returns') return { kind: 'return', name: text(at) }
  if (list !== 'actions' || at === undefined) return undefined
  const { type, object, channel, operation } = partAt(body, [list, at])
  const field = text(name)
  const isWrite = type === 'create' || type === 'update'
  if (property === 'values' && (isWrite || type === 'assign'))
    return { kind: 'field', object: text(isWrite ? object : body['object']), field }
  const isCall = type === 'enqueue' || type === 'callout'
  if (isCall && typeof operation === 'string' && property === 'args')
    return { kind: 'argument', operation, path: [field] }
  if (isCall && typeof operation === 'string' && property === 'payload')
    return { kind: 'argument', operation, path: ['body', ...payloadSteps(field)] }
  if (property === 'payload' && type === 'publish') return { kind: 'payload', channel: text(channel), field }
  return property === 'record' && type === 'update' ? { kind: 'record', object: text(object) } : undefined
}

const results: Record<ObjectFieldType, ParamType | 'any'> = {
  text: 'text',
  enum: 'text',
  number: 'number',
  boolean: 'boolean',
  date: 'date',
  datetime: 'datetime',
  reference: 'any',
}

function resultOf(type: unknown): ParamType | 'any' {
  return Object.hasOwn(results, text(type)) ? results[type as ObjectFieldType] : 'any'
}

const paramTypes: readonly unknown[] = ['number', 'text', 'boolean', 'date', 'datetime'] satisfies ParamType[]

function isParamType(type: unknown): type is ParamType {
  return paramTypes.includes(type)
}

function paramsOf(params: unknown): Param[] {
  return (Array.isArray(params) ? params : []).flatMap((param: unknown) => {
    const { key, type } = partAt(param, [])
    return typeof key === 'string' && isParamType(type) ? [{ key, type }] : []
  })
}

/** Returns the object at a path; an empty object if it does not exist. */
function partAt(whole: unknown, steps: Steps): Json {
  const part = steps.reduce<unknown>(
    (at, step) => (typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[step] : undefined),
    whole,
  )
  return typeof part === 'object' && part !== null ? (part as Json) : {}
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
