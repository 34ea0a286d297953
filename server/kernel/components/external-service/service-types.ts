// Types of the operations of an external service, as data: what an expression can pass and read.

/** Of a value that a request or a response contains. */
export type ServiceType = { nullable?: true } & (
  | { kind: 'text'; values?: readonly string[] }
  /** `wire: 'text'` if the number is written in quotes. */
  | { kind: 'decimal'; wire?: 'text'; integer?: true }
  | { kind: 'boolean' | 'date' | 'datetime' | 'absent' | 'dyn' }
  | { kind: 'list'; of: ServiceType }
  /** A named object type of the service, which can contain itself. */
  | { kind: 'object'; name: string }
)

export interface ServiceMember {
  key: string
  type: ServiceType
  required: boolean
  /** If only requests or only responses have it. */
  only?: 'request' | 'response'
  description?: string
}

export interface ServiceObject {
  members: readonly ServiceMember[]
  /** The type of members with other names; null if it has only these. */
  others: ServiceType | null
  description?: string
}

export interface ServiceParameter {
  /** What a call writes; the wire name unless two parameters share it (`id`, `header_id`). */
  key: string
  name: string
  in: 'path' | 'query' | 'header' | 'cookie'
  required: boolean
  type: ServiceType
  description?: string
}

export interface ServiceOperation {
  /** `<service>.<name>` is the operation's key. */
  name: string
  method: string
  path: string
  summary?: string
  deprecated?: true
  parameters: readonly ServiceParameter[]
  /** Null if the operation takes no body. */
  body: { required: boolean; mediaType: string; type: ServiceType } | null
  /** By status, `2XX` or `default`; null for a response without a body. */
  responses: Readonly<Record<string, { mediaType: string; type: ServiceType } | null>>
  /** The body of a successful response; absent without a body. */
  result: ServiceType
}

/** Everything that expressions and declarations need of one external service. */
export interface ServiceTypes {
  operations: readonly ServiceOperation[]
  objects: Readonly<Record<string, ServiceObject>>
}

const names = {
  ...{ text: 'text', decimal: 'number', boolean: 'boolean', date: 'date', datetime: 'datetime' },
  ...{ absent: 'nothing', dyn: 'any value' },
} as const

/** Names a type for people: `number`, `list of Entry`, `text or nothing`. */
export function serviceTypeText(type: ServiceType): string {
  const text = plainTypeText(type)
  return type.nullable === true ? `${text} or nothing` : text
}

const mostValues = 5

function plainTypeText(type: ServiceType): string {
  switch (type.kind) {
    case 'list':
      return `list of ${serviceTypeText(type.of)}`
    case 'object':
      return type.name
    case 'text': {
      const { values } = type
      if (values === undefined) return names.text
      const shown = values.slice(0, mostValues).map((value) => JSON.stringify(value))
      return [...shown, ...(values.length > mostValues ? ['…'] : [])].join(' | ')
    }
    case 'decimal':
    case 'boolean':
    case 'date':
    case 'datetime':
    case 'absent':
    case 'dyn':
      return names[type.kind]
  }
}

/** Describes a signature in one line: `createEntry(account: text, body: Entry) → Receipt`. */
export function signatureInWords(operation: ServiceOperation): string {
  const parameters = operation.parameters.map(
    ({ key, required, type }) => `${key}${required ? '' : '?'}: ${serviceTypeText(type)}`,
  )
  const { body } = operation
  if (body !== null) parameters.push(`body${body.required ? '' : '?'}: ${serviceTypeText(body.type)}`)
  return `${operation.name}(${parameters.join(', ')}) → ${serviceTypeText(operation.result)}`
}

/**
 * Returns the type of a member that an expression reads, or sends with a request; null if the type has no such member.
 */
export function memberType(
  types: ServiceTypes,
  type: ServiceType,
  key: string,
  direction: 'request' | 'response' = 'response',
): ServiceType | null {
  if (type.kind === 'dyn') return { kind: 'dyn' }
  if (type.kind !== 'object') return null
  const object = objectType(types, type.name)
  const member = membersIn(object, direction).find((each) => each.key === key)
  return member?.type ?? object?.others ?? null
}

/** Undefined if the types have no such object. */
export function objectType({ objects }: ServiceTypes, name: string): ServiceObject | undefined {
  return Object.hasOwn(objects, name) ? objects[name] : undefined
}

/** Returns the members that a request can contain, or a response. */
export function membersIn(
  object: ServiceObject | undefined,
  direction: 'request' | 'response',
): readonly ServiceMember[] {
  return (object?.members ?? []).filter(({ only }) => only === undefined || only === direction)
}
