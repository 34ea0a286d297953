// TypeScript declarations of the operations of external services, for `almanac types`.
import type {
  ServiceMember,
  ServiceObject,
  ServiceOperation,
  ServiceType,
  ServiceTypes,
} from './service-types.ts'

/** Declared once, beside the declarations of services. */
export const datetimeDeclaration = `/** An instant in UTC, such as 2026-01-31T12:00:00Z. */
export type DateTimeText = string & { readonly dateTime?: never }`

/**
 * Returns a namespace with the object types of one service and `Operations`, which has `args` and `result` of each.
 * Uses `DecimalText`, `DateText` and `DateTimeText`. The same types give the same text.
 * @param name of the namespace, such as `LedgerService`
 */
export function serviceDeclarations(name: string, label: string, types: ServiceTypes): string {
  const objects = Object.entries(types.objects).map(([key, object]) => objectDeclaration(key, object))
  const operations = types.operations.map(operationDeclaration).join('')
  return [
    `${comment(label, '')}export namespace ${name} {`,
    ...objects,
    `  export interface Operations {\n${operations}  }\n}`,
  ].join('\n')
}

function objectDeclaration(name: string, object: ServiceObject): string {
  const members = object.members.map((member) => memberDeclaration(member)).join('')
  const others =
    object.others === null
      ? ''
      : `    readonly [name: string]: ${object.members.length === 0 ? typeText(object.others) : 'unknown'}\n`
  return `${comment(object.description, '  ')}  export interface ${name} {\n${members}${others}  }\n`
}

function memberDeclaration({ key, type, required, only, description }: ServiceMember): string {
  const optional = required && only === undefined ? '' : '?'
  const note = { request: 'Only in requests.', response: 'Only in responses.' }
  const text = [description, only && note[only]].filter((part) => part !== undefined).join(' ')
  return `${comment(text, '    ')}    readonly ${propertyName(key)}${optional}: ${typeText(type)}\n`
}

function operationDeclaration({
  name,
  summary,
  deprecated,
  parameters,
  body,
  result,
}: ServiceOperation): string {
  const args = parameters.map(
    ({ key, required, type }) => `readonly ${propertyName(key)}${required ? '' : '?'}: ${typeText(type)}`,
  )
  if (body !== null) args.push(`readonly body${body.required ? '' : '?'}: ${typeText(body.type)}`)
  const text = [summary, deprecated && '@deprecated'].filter(Boolean).join(' ')
  return (
    `${comment(text, '    ')}    readonly ${propertyName(name)}: {\n` +
    `      readonly args: { ${args.join('; ')} }\n      readonly result: ${typeText(result)}\n    }\n`
  ).replace('{  }', '{}')
}

function typeText(type: ServiceType): string {
  const text = plainTypeText(type)
  return type.nullable === true ? `${text} | null` : text
}

function plainTypeText(type: ServiceType): string {
  switch (type.kind) {
    case 'decimal':
      return 'DecimalText'
    case 'text':
      return type.values?.map((value) => JSON.stringify(value)).join(' | ') ?? 'string'
    case 'boolean':
      return 'boolean'
    case 'date':
      return 'DateText'
    case 'datetime':
      return 'DateTimeText'
    case 'list':
      return `readonly ${inBrackets(typeText(type.of))}[]`
    case 'object':
      return type.name
    case 'absent':
      return 'null'
    case 'dyn':
      return 'unknown'
  }
}

const inBrackets = (text: string): string => (/[ |]/.test(text) ? `(${text})` : text)

function propertyName(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key)
}

function comment(text: string | undefined, indent: string): string {
  return text === undefined || text === ''
    ? ''
    : `${indent}/** ${text
        .replaceAll('*/', '* /')
        .replaceAll(/\s*\n\s*/g, ' ')
        .trim()} */\n`
}
