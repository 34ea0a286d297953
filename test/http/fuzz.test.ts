// Requests made at random from /openapi.json, most of which fit their schema: none causes an internal error.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { apply, billingComponents, clerk, signIn } from '../support/billing-org.ts'
import { runningServer, type Answer, type Ask, type TestServer } from '../support/running-server.ts'

const perOperation = Number(process.env['ALMANAC_RUNS'] ?? 40)

interface Schema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  items?: Schema
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
}
interface Operation {
  operationId: string
  parameters?: { name?: string; $ref?: string; in: string; required?: boolean; schema?: Schema }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { content?: Record<string, unknown> }>
}
interface Document {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

let test: TestServer
let ada: Ask
let document: Document
/** Values that exist in the org: most requests name one. */
let names: string[]
beforeAll(async () => {
  test = await runningServer()
  const all = {
    ...{ type: 'permission_set', key: 'everything', label: 'Everything' },
    body: { systemPermissions: ['platform.root'] },
  }
  await apply(test.studio, [...billingComponents(), clerk(), all])
  ;({ ada } = (await signIn(test, [{ key: 'ada', permissionSets: ['everything', 'clerk'] }])) as { ada: Ask })
  const { body } = await ada<{ id: string }>('POST', '/data/v3/customer', { name: 'Ada', country: 'DE' })
  document = (await ada('GET', '/openapi.json')).body as unknown as Document
  names = [
    ...[
      body.id,
      'customer',
      'invoice',
      'vat',
      'vat.de_2021',
      'ada',
      'clerk',
      'DE',
      'name',
      'net',
      '1',
      '2',
      'a',
    ],
    ...['config_set', 'config_entry', 'object', 'config_set/vat', 'config_entry/vat.de_2021', '2026-01-01'],
  ]
})
afterAll(() => test.close())

/** Streams stay open, and the session of the test must not end. */
const left = (path: string, operation: Operation): boolean =>
  path.includes('/events') ||
  Object.values(operation.responses).some(({ content = {} }) => 'text/event-stream' in content)

const junk = fc.oneof(
  fc.constantFrom<unknown>(null, true, -1, 1.5, 1e21, '', '\u{0}', '😀', '../..', '%', [], {}, [[]], {
    a: { b: [1] },
  }),
  fc.string({ maxLength: 20 }),
  fc.jsonValue({ maxDepth: 2 }),
)

const known = (): fc.Arbitrary<string> => fc.constantFrom(...names)

function valueOf(schema: Schema, depth = 0): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 12, arbitrary: fitting(schema, depth) }, { weight: 1, arbitrary: junk })
}

function fitting(schema: Schema, depth: number): fc.Arbitrary<unknown> {
  if (depth > 6) return fc.constant(null)
  if (schema.$ref !== undefined)
    return fitting(document.components.schemas[schema.$ref.split('/').at(-1)!] ?? {}, depth + 1)
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return fc.oneof(...choices.map((each) => fitting(each, depth + 1)))
  if (schema.allOf !== undefined)
    return fc
      .tuple(...schema.allOf.map((each) => fitting(each, depth + 1)))
      .map((parts) => Object.assign({}, ...(parts as object[])) as unknown)
  const [type] = Array.isArray(schema.type) ? schema.type : [schema.type]
  switch (type) {
    case 'string':
      return fc.oneof(
        { weight: 4, arbitrary: known() },
        { weight: 1, arbitrary: fc.string({ maxLength: Math.min(schema.maxLength ?? 40, 40) }) },
      )
    case 'integer':
    case 'number':
      return fc.integer({ min: Math.max(schema.minimum ?? 0, -5), max: Math.min(schema.maximum ?? 50, 50) })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return fc.array(valueOf(schema.items ?? {}, depth + 1), { maxLength: 3 })
    case 'object':
      return objectOf(schema, depth)
    default:
      return junk
  }
}

function objectOf(
  { properties = {}, required = [], additionalProperties }: Schema,
  depth: number,
): fc.Arbitrary<unknown> {
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, each]) => [name, valueOf(each, depth + 1)]),
  )
  const declared = fc.record(fields, { requiredKeys: required.filter((name) => name in fields) })
  if (typeof additionalProperties !== 'object') return declared
  return fc
    .tuple(declared, fc.dictionary(known(), valueOf(additionalProperties, depth + 1), { maxKeys: 3 }))
    .map(([own, more]) => ({ ...more, ...own }))
}

interface Sent {
  path: string
  body: unknown
}

function requestsOf(template: string, { parameters = [], requestBody }: Operation): fc.Arbitrary<Sent> {
  const body = requestBody?.content['application/json']?.schema
  const values = parameters
    .filter((each) => each.in === 'path' || each.in === 'query')
    .map((each) => valueOf(each.schema ?? { type: 'string' }).map((value) => ({ ...each, value })))
  const use = fc.array(fc.boolean(), { minLength: values.length, maxLength: values.length })
  return fc
    .tuple(fc.tuple(...values), use, body === undefined ? fc.constant(undefined) : valueOf(body))
    .map(([all, used, sent]) => {
      const query = new URLSearchParams()
      let path = template
      for (const [at, each] of all.entries()) {
        const text = typeof each.value === 'string' ? each.value : JSON.stringify(each.value)
        if (each.in === 'path')
          path = path.replace(`{${each.name!}}`, encodeURIComponent(wellFormed(text)) || 'x')
        else if (each.required === true || used[at]) query.append(each.name!, wellFormed(text))
      }
      return { path: query.size === 0 ? path : `${path}?${query}`, body: sent }
    })
}

const wellFormed = (text: string): string => text.toWellFormed()

it('no request that is made from the document causes an internal error', async () => {
  const failures: string[] = []
  const answers = new Map<number, number>()
  for (const [template, methods] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(methods)) {
      if (left(template, operation)) continue
      for (const { path, body } of fc.sample(requestsOf(template, operation), {
        numRuns: perOperation,
        seed: 42,
      })) {
        const answer: Answer = await ada(method.toUpperCase(), path, body)
        answers.set(answer.status, (answers.get(answer.status) ?? 0) + 1)
        if (answer.status >= 500)
          failures.push(
            `${method} ${path} ${JSON.stringify(body)}: ${answer.status} ${answer.text.slice(0, 300)}`,
          )
      }
    }
  expect(failures).toEqual([])
  // Some are valid, and some are refused for their shape.
  expect(answers.get(200)).toBeGreaterThan(50)
  expect(answers.get(400)).toBeGreaterThan(50)
}, 600_000)
