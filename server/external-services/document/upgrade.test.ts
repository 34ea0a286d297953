// The upgrade of schemas from OpenAPI 3.0 to 3.1.
import { describe, expect, it } from 'vitest'
import { importJson, describing } from '../fixture.ts'
import { upgradeSchema } from './upgrade.ts'

describe('a schema of OpenAPI 3.0', () => {
  it.each([
    [{ type: 'string', nullable: true }, { type: ['string', 'null'] }],
    [{ type: 'string', nullable: false }, { type: 'string' }],
    [{ nullable: true }, {}],
    [
      { type: 'string', enum: ['a'], nullable: true },
      { type: ['string', 'null'], enum: ['a', null] },
    ],
    [
      { allOf: [{ $ref: '#/a' }], nullable: true },
      { anyOf: [{ allOf: [{ $ref: '#/a' }] }, { type: 'null' }] },
    ],
    [{ $ref: '#/a', nullable: true }, { anyOf: [{ $ref: '#/a' }, { type: 'null' }] }],
    [{ $ref: '#/a', description: 'x', minLength: 1 }, { $ref: '#/a' }],
    [{ minimum: 1, exclusiveMinimum: true }, { exclusiveMinimum: 1 }],
    [{ minimum: 1, exclusiveMinimum: false }, { minimum: 1 }],
    [{ maximum: 1, exclusiveMaximum: true }, { exclusiveMaximum: 1 }],
    [{ exclusiveMaximum: true }, {}],
    [{ exclusiveMinimum: 5 }, { exclusiveMinimum: 5 }],
    [
      { type: 'string', example: 'a' },
      { type: 'string', examples: ['a'] },
    ],
    [
      { type: 'string', format: 'binary' },
      { type: 'string', contentMediaType: 'application/octet-stream' },
    ],
    [
      { type: 'string', format: 'byte' },
      { type: 'string', contentEncoding: 'base64' },
    ],
    [
      { type: 'string', format: 'date' },
      { type: 'string', format: 'date' },
    ],
  ])('%j becomes %j', (before, after) => {
    expect(upgradeSchema(before)).toEqual(after)
  })

  it('has the signature of the same schema in 3.1', () => {
    const old = { type: 'object', properties: { nullable: { type: 'string', nullable: true, example: 'x' } } }
    const new_ = { type: 'object', properties: { nullable: { type: ['null', 'string'] } } }
    const [a, b] = [importJson(describing(old, {}, '3.0.3')), importJson(describing(new_))]
    expect(a.bundle.openapi).toBe('3.1.1')
    expect(a.operations[0]!.signature).toBe(b.operations[0]!.signature)
  })

  it('is not changed in 3.1', () => {
    const schema = { type: 'string', nullable: true }
    expect(JSON.stringify(importJson(describing(schema)).bundle)).toContain(JSON.stringify(schema))
  })
})
