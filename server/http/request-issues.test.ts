import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { validateInput, type RequestIssue } from './request-issues.ts'

const schema = z.strictObject({
  set: z.string(),
  limit: z.int().min(1).optional(),
  kind: z.enum(['added', 'removed']).optional(),
  inner: z.strictObject({ asOf: z.string() }).optional(),
  days: z.int().max(366).optional(),
  name: z.string().min(1).max(80).optional(),
  list: z.array(z.string()).min(1).optional(),
  drafts: z.union([z.literal(true), z.array(z.string())]).optional(),
  bytes: z.base64().optional(),
})

function issuesOf(input: unknown): RequestIssue[] {
  try {
    validateInput(schema, input, 'body')
  } catch (error) {
    if (error instanceof AlmanacError) return error.details as RequestIssue[]
    throw error
  }
  return []
}

describe('readInput', () => {
  it.each<[unknown, string, RegExp]>([
    [{}, '/set', /"set" is missing from the body\. Write text\./],
    [{ set: 1 }, '/set', /"set" is 1; write text\./],
    [{ set: 'x', kind: 'add' }, '/kind', /Did you mean "added"\?/],
    [{ set: 'x', kind: 'zzzzzzz' }, '/kind', /Write added or removed\./],
    [{ set: 'x', limt: 1 }, '/limt', /Did you mean "limit"\?/],
    [{ set: 'x', inner: { asof: '' } }, '/inner/asof', /Did you mean "asOf"\?/],
    [{ set: 'x', inner: 'no' }, '/inner', /write an object/],
    [undefined, '', /The body is absent/],
    [{ set: 'x', limit: 0 }, '/limit', /^"limit" is 0; the minimum is 1\.$/],
    [{ set: 'x', days: 367 }, '/days', /^"days" is 367; the maximum is 366\.$/],
    [{ set: 'x', name: '' }, '/name', /^"name" is empty\. Write some text\.$/],
    [{ set: 'x', name: 'n'.repeat(81) }, '/name', /^"name" has more than 80 characters\.$/],
    [{ set: 'x', list: [] }, '/list', /^"list" is empty\. Write at least one item\.$/],
    [{ set: 'x', drafts: [1] }, '/drafts/0', /^"drafts\.0" is 1; write text\.$/],
    [{ set: 'x', drafts: false }, '/drafts', /^"drafts" is false; write true, or a list\.$/],
    [{ set: 'x', bytes: '*' }, '/bytes', /^"bytes" is not valid base64\.$/],
  ])('explains for %j what is wrong at %s', (input, path, message) => {
    const issue = issuesOf(input).find((each) => each.path === path)
    expect(issue?.message).toMatch(message)
    expect(issue?.in).toBe('body')
  })

  it('counts the faults of a long list without an issue for each', () => {
    const list = z.strictObject({ ids: z.union([z.literal(true), z.array(z.string())]).optional() })
    const ids = Array.from({ length: 5000 }, (_, at) => (at < 2000 ? 'x' : at))
    const refused = (): unknown => validateInput(list, { ids }, 'body')
    expect(refused).toThrow(
      /"ids\.2000" is 2000; write .* There are 2999 more; the first 100 are in details\./,
    )
    expect(validateInput(list, { ids: ids.map(String) }, 'body').ids).toHaveLength(5000)
    const faults = ids.map((id, at) => (at % 2 === 0 ? { id } : at === 4999 ? null : id))
    const some = z.array(z.union([z.strictObject({ id: z.string() }), z.string().startsWith('x')]))
    const all = (): unknown => validateInput(z.strictObject({ some }), { some: faults }, 'body')
    // 1,500 objects with a number as id, and 1,500 numbers and nulls.
    expect(all).toThrow(/There are 2999 more; the first 100 are in details\./)
  })

  it('names what is missing from the closest of two forms of a body', () => {
    const forms = z.union([
      z.strictObject({ id: z.string() }),
      z.strictObject({ expression: z.string(), value: z.string() }),
    ])
    const refused = (input: unknown) => () => validateInput(forms, input, 'body')
    expect(refused({})).toThrow(/^"id" is missing from the body\. Write text\.$/)
    expect(refused({ expression: '1' })).toThrow(/^"value" is missing from the body\. Write text\.$/)
    expect(refused({ expression: '1', value: '1', x: 1, y: 1 })).toThrow(
      /^"x" is not a property of the body\. .* There is 1 more; see details\.$/,
    )
  })

  it('names all issues and not only the first', () => {
    expect(issuesOf({ limit: 0, other: 1 })).toHaveLength(3)
  })

  it('accepts valid inputs', () => {
    expect(validateInput(schema, { set: 'x', limit: 2 }, 'body')).toEqual({ set: 'x', limit: 2 })
  })
})

it('refuses a name that a schema would drop, and keeps it where any value is allowed', () => {
  const fields = z.strictObject({ items: z.array(z.record(z.string(), z.unknown())) })
  const input: unknown = JSON.parse('{ "items": [{ "a": { "__proto__": 1 } }, { "__proto__": 2 }] }')
  expect(() => validateInput(fields, input, 'body')).toThrow(
    '/items/1/__proto__ of the body: The name "__proto__" is reserved. Choose a different name.',
  )
  const nested: unknown = JSON.parse('{ "items": [{ "a": { "__proto__": 1 } }] }')
  expect(JSON.stringify(validateInput(fields, nested, 'body'))).toBe('{"items":[{"a":{"__proto__":1}}]}')
})
