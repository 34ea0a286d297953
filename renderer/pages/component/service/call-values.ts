// The values of a form that calls an operation: what is typed, and the parameters that are sent.
import { ApiError } from '../../../api/request.ts'
import {
  membersIn,
  objectType,
  type ServiceOperation,
  type ServiceType,
  type ServiceTypes,
} from '#kernel/components/external-service/service-types.ts'

/** Typed values by path, as in `/body/amount`; an empty text is left out. */
export type CallValues = Record<string, string>

export interface CallField {
  path: string
  label: string
  type: ServiceType
  required: boolean
  description?: string | undefined
  /** How deep it is in the body. */
  depth: number
  /** Where a parameter is sent. */
  place?: 'path' | 'query' | 'header' | 'cookie'
  /** Lists, values of unknown type and deep objects are written as JSON. */
  isJson: boolean
}

const deepest = 3

/** Returns the fields of the form in order. An object has a field for each of its members. */
export function callFields(
  { parameters, body }: ServiceOperation,
  objects: ServiceTypes['objects'],
): CallField[] {
  const types: ServiceTypes = { operations: [], objects }
  const fields: CallField[] = parameters.map(({ key, type, required, description, in: place }) => ({
    ...{ path: `/${key}`, label: key, type, required, description, place },
    ...{ depth: 0, isJson: isJson(type) || type.kind === 'object' },
  }))
  if (body === null) return fields
  return [
    ...fields,
    ...fieldsOf(types, { path: '/body', label: 'body', required: body.required }, body.type, 0),
  ]
}

type Named = Pick<CallField, 'path' | 'label' | 'required' | 'description'>

function fieldsOf(types: ServiceTypes, named: Named, type: ServiceType, depth: number): CallField[] {
  const members = type.kind === 'object' ? membersIn(objectType(types, type.name), 'request') : []
  if (members.length === 0 || depth >= deepest)
    return [{ ...named, type, depth, isJson: isJson(type) || type.kind === 'object' }]
  return members.flatMap(({ key, type: of, required, description }) =>
    fieldsOf(
      types,
      {
        ...{ path: `${named.path}/${escaped(key)}`, description },
        label: depth === 0 ? key : `${named.label}.${key}`,
        required: required && named.required,
      },
      of,
      depth + 1,
    ),
  )
}

const escaped = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1')
const isJson = ({ kind }: ServiceType): boolean => kind === 'list' || kind === 'dyn'

/** @throws SyntaxError if a field of JSON contains none */
export function callParams(fields: readonly CallField[], values: CallValues): Record<string, unknown> {
  const params: Record<string, unknown> = {}
  for (const field of fields) {
    const text = values[field.path] ?? ''
    if (text === '') continue
    const steps = field.path.slice(1).split('/')
    const names = steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    let at = params
    for (const name of names.slice(0, -1)) at = inner(at, name)
    define(at, names.at(-1)!, valueOf(field, text))
  }
  return params
}

function valueOf({ label, type, isJson: asJson }: CallField, text: string): unknown {
  if (!asJson) return type.kind === 'boolean' ? text === 'true' : text
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw new SyntaxError(`${label} is not valid JSON.`)
  }
}

function inner(at: Record<string, unknown>, name: string): Record<string, unknown> {
  if (!Object.hasOwn(at, name)) define(at, name, {})
  return at[name] as Record<string, unknown>
}

/** Also for a name such as `__proto__`. */
function define(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true })
}

/** Why the values of fields were refused, by the path of the field. An error about something else has none. */
export function fieldFaults(fields: readonly CallField[], error: unknown): Record<string, string> {
  const details = error instanceof ApiError && error.code === 'request.invalid' ? error.details : []
  const faults: Record<string, string> = {}
  for (const { path, message } of details as { path?: string; message?: string }[]) {
    const field = fields.find((each) => path === `/params${each.path}`)
    // The message begins with the place in the body, which the form shows as the name of the field.
    if (field !== undefined && message !== undefined)
      faults[field.path] ??= message.replace(/^\/\S+ /, `${field.label} `)
  }
  return faults
}
