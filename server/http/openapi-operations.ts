// A path for each operation that the caller can call, with its parameters and returned values, beside the route that takes
// any operation.
import type { ParamType } from '#kernel/components/expression-slot.ts'
import type { OperationDescription } from '../records/index.ts'
import type { Document } from './openapi-objects.ts'

type Json = Record<string, unknown>

const genericPath = '/invoke/v3/{operation}'

/** Adds the operations to a document, with a step for each. */
export function* addOperations(
  { paths, components: { schemas } }: Document,
  operations: readonly OperationDescription[],
): Generator<void> {
  const generic = paths[genericPath]!['post']!
  for (const operation of operations) {
    yield
    const { key, label } = operation
    schemas[`Call_${key}`] = callSchema(operation)
    schemas[`Result_${key}`] = resultSchema(operation)
    const { parameters, responses, ...rest } = generic
    const contentOf = (name: string): Json => ({
      'application/json': { schema: { $ref: `#/components/schemas/${name}_${key}` } },
    })
    paths[genericPath.replace('{operation}', key)] = {
      post: {
        ...rest,
        operationId: `${generic.operationId}_${key}`,
        summary: `${String(generic['summary'])} (${label})`,
        parameters: parameters.filter(({ name }) => name !== 'operation'),
        requestBody: {
          required: operation.params.length > 0 || operation.isDated,
          content: contentOf('Call'),
        },
        responses: { ...responses, 200: { ...responses['200'], content: contentOf('Result') } },
      },
    }
  }
}

function callSchema({ params, isDated }: OperationDescription): Json {
  const required = [...(params.length > 0 ? ['params'] : []), ...(isDated ? ['asOf'] : [])]
  return {
    type: 'object',
    additionalProperties: false,
    ...(required.length > 0 ? { required } : {}),
    properties: {
      params: {
        type: 'object',
        additionalProperties: false,
        required: params.map(({ key }) => key),
        properties: propertiesOf(params),
      },
      ...(isDated ? { asOf: { type: 'string', format: 'date' } } : {}),
    },
  }
}

function resultSchema({ key, returns }: OperationDescription): Json {
  return {
    type: 'object',
    required: ['operation', 'generation', 'ran', 'returns'],
    properties: {
      operation: { const: key },
      generation: { type: 'integer' },
      ran: { type: 'boolean' },
      returns: {
        type: 'object',
        required: returns.map((each) => each.key),
        properties: propertiesOf(returns),
      },
    },
  }
}

const schemaOfType: Record<ParamType, Json> = {
  number: { type: ['string', 'null'], format: 'decimal' },
  text: { type: ['string', 'null'] },
  boolean: { type: ['boolean', 'null'] },
  date: { type: ['string', 'null'], format: 'date' },
  datetime: { type: ['string', 'null'], format: 'date-time' },
}

function propertiesOf(named: readonly { key: string; type: ParamType }[]): Json {
  return Object.fromEntries(named.map(({ key, type }) => [key, schemaOfType[type]]))
}
