// Checks values of requests and responses against their schemas, within a budget that no schema and no value can exceed.
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import { canonicalJson } from '#kernel/change/canonical.ts'
import type { JsonObject, JsonValue } from '../json.ts'
import { checkedFormats } from './formats.ts'
import { patternEngine } from './pattern-engine.ts'
import { selfContainedSchema, type Direction } from './self-contained-schema.ts'

export interface ValueIssue {
  /** JSON pointer into the value; empty for the whole. */
  pointer: string
  message: string
}

export interface ValueChecker {
  /** Returns what is wrong; null if the value is valid. */
  check: (value: JsonValue) => ValueIssue | null
  /** Patterns of the schema that are not checked. */
  unchecked: readonly string[]
}

/** Parts of schemas that one check runs through, about a second of work. */
export const mostSpent = 20_000_000

class BudgetError extends Error {
  override readonly name = 'BudgetError'
}

/** @param schema of the bundle; it is compiled at once, so call this when it is needed */
export function compileChecker(
  bundle: JsonObject,
  schema: JsonValue,
  direction: Direction,
  budget = mostSpent,
): ValueChecker {
  const meter = { left: 0 }
  const self = selfContainedSchema(bundle, schema, direction)
  const validate = validatorOf(meter).compile(self.schema)
  return {
    unchecked: self.unchecked,
    check(value) {
      meter.left = budget
      try {
        return validate(value) ? null : issueOf(validate)
      } catch (error) {
        if (error instanceof BudgetError || error instanceof RangeError)
          return { pointer: '', message: 'The value takes too long to check against its schema.' }
        throw error
      }
    },
  }
}

function validatorOf(meter: { left: number }): Ajv2020 {
  const ajv = new Ajv2020({
    ...{
      strict: false,
      meta: false,
      validateSchema: false,
      addUsedSchema: false,
      inlineRefs: false,
      logger: false,
    },
    ...{ ownProperties: true, unicodeRegExp: true, messages: true, code: { regExp: patternEngine } },
  })
  // A definition is the only thing that can repeat, so what it costs is spent before anything of it runs.
  ajv.addKeyword({
    ...{ keyword: 'spend', before: '$ref', schema: true, errors: false },
    validate(cost: number) {
      meter.left -= cost
      if (meter.left < 0) throw new BudgetError()
      return true
    },
  })
  ajv.addKeyword({
    ...{ keyword: 'distinctItems', type: 'array', schemaType: 'boolean', errors: false },
    validate(_isDistinct: boolean, items: readonly JsonValue[]) {
      return new Set(items.map((item) => canonicalJson(item))).size === items.length
    },
  })
  for (const [name, format] of Object.entries(checkedFormats)) ajv.addFormat(name, format)
  return ajv
}

function issueOf({ errors }: ValidateFunction): ValueIssue {
  // The deepest says most about a value that fits none of several choices.
  const error = (errors ?? []).reduce<ErrorObject | null>(
    (deepest, each) =>
      deepest === null || each.instancePath.length > deepest.instancePath.length ? each : deepest,
    null,
  )
  if (error === null) return { pointer: '', message: 'The value does not match its schema.' }
  const place = error.instancePath === '' ? 'The value' : error.instancePath
  return { pointer: error.instancePath, message: `${place} ${reasonOf(error)}.` }
}

function reasonOf({ keyword, message, params }: ErrorObject): string {
  if (keyword === 'enum') {
    const allowed = (params as { allowedValues: JsonValue[] }).allowedValues.slice(0, 10)
    return `must be one of ${allowed.map((value) => JSON.stringify(value)).join(', ')}`
  }
  if (keyword === 'distinctItems') return 'must not contain an item twice'
  if (keyword === 'additionalProperties')
    return `must not have the member "${(params as { additionalProperty: string }).additionalProperty}"`
  return message ?? 'does not match its schema'
}
