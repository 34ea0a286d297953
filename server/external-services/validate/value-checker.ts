// Checks values of requests and responses against their schemas: JSON Schema 2020-12 as OpenAPI 3.1 uses it, interpreted
// within a budget. Nothing is compiled: the schemas of a large service take a compiler seconds.
import { canonicalJson } from '#kernel/change/canonical.ts'
import { pointer } from '#kernel/components/pointer.ts'
import { isList, isObject, type JsonObject, type JsonValue } from '../json.ts'
import type { ExactJson, ValueIssue } from '#kernel/service-values/index.ts'
import type { Check, Evaluated } from './check.ts'
import { checkLimits } from './check-limits.ts'
import { checkItems } from './check-items.ts'
import { checkMembers } from './check-members.ts'
import { prepareSchema, type Direction, type PreparedSchema, type Schema } from './prepared-schema.ts'

/** Steps of one check: about a fifth of a second, for which other requests wait. */
export const mostSteps = 4_000_000
const mostDepth = 400

class BudgetError extends Error {
  override readonly name = 'BudgetError'
}

/** Checks values of the schemas of one bundle, in one direction. */
export class ValueChecker {
  readonly #bundle: JsonObject
  readonly #direction: Direction
  readonly #prepared = new Map<JsonObject, PreparedSchema>()

  constructor(bundle: JsonObject, direction: Direction) {
    this.#bundle = bundle
    this.#direction = direction
  }

  /** Returns the first issue; null if the value is valid. */
  check(schema: JsonValue, json: ExactJson, budget = mostSteps): ValueIssue | null {
    let [left, depth] = [budget, 0]
    const path: (string | number)[] = []
    const check: Check = {
      path,
      spend(steps) {
        left -= steps
        if (left < 0) throw new BudgetError()
      },
      issue: (reason) => issueAt(path, reason),
      numeral: () => numeralAt(json, path),
      run: (below, part, evaluated) => {
        if (typeof below === 'boolean') return below ? null : check.issue('is not allowed')
        const prepared = this.#prepare(below)
        check.spend(prepared.cost)
        if ((depth += 1) > mostDepth) throw new BudgetError()
        const issue = runPrepared(prepared, part, evaluated, check)
        depth -= 1
        return issue
      },
    }
    try {
      return typeof schema === 'boolean' || isObject(schema) ? check.run(schema, json.value, null) : null
    } catch (error) {
      if (error instanceof BudgetError) return issueAt([], 'takes too long to check against its schema')
      throw error
    }
  }

  #prepare(schema: JsonObject): PreparedSchema {
    let prepared = this.#prepared.get(schema)
    if (prepared === undefined)
      this.#prepared.set(schema, (prepared = prepareSchema(schema, this.#bundle, this.#direction)))
    return prepared
  }
}

function issueAt(path: readonly (string | number)[], reason: string): ValueIssue {
  const place = pointer(...path)
  return { pointer: place, message: `${place === '' ? 'The value' : place} ${reason}.` }
}

function numeralAt({ root, numeral }: ExactJson, path: readonly (string | number)[]): string {
  let [container, key, value]: [object, string, JsonValue] = [root, '0', root[0]!]
  for (const step of path) {
    ;[container, key] = [value as object, String(step)]
    value = (value as { readonly [name: string]: JsonValue })[key]!
  }
  return numeral(container, key) ?? String(value)
}

function runPrepared(
  schema: PreparedSchema,
  value: JsonValue,
  outer: Evaluated | null,
  check: Check,
): ValueIssue | null {
  const { single } = schema
  const tracks = single.unevaluatedProperties !== undefined || single.unevaluatedItems !== undefined
  const evaluated = outer ?? (tracks ? nothingEvaluated() : null)
  const own = tracks && outer !== null ? nothingEvaluated() : evaluated
  const issue =
    checkType(schema, value, check) ??
    checkLimits(schema, value, check) ??
    checkChoices(schema, value, own, check) ??
    (isList(value) ? checkItems(schema, value, own, check) : null) ??
    (isObject(value) ? checkMembers(schema, value, own, check) : null)
  if (issue === null && own !== evaluated) merge(own, evaluated)
  return issue
}

const nothingEvaluated = (): Evaluated => ({ names: new Set(), items: new Set() })

function merge(from: Evaluated | null, into: Evaluated | null): void {
  if (from === null || into === null) return
  for (const name of from.names) into.names.add(name)
  for (const item of from.items) into.items.add(item)
}

function checkType(
  { types, values, valueList }: PreparedSchema,
  value: JsonValue,
  check: Check,
): ValueIssue | null {
  if (types !== null && !types.some((type) => isOfType(value, type)))
    return check.issue(`must be ${types.map((type) => typeWords[type] ?? type).join(' or ')}`)
  if (values === null) return null
  const text = canonicalJson(value)
  check.spend(text.length >> 4)
  if (values.has(text)) return null
  const shown = valueList.slice(0, 10).map((each) => JSON.stringify(each))
  return check.issue(`must be ${shown.length > 1 ? 'one of ' : ''}${shown.join(', ') || 'absent'}`)
}

const typeWords: Readonly<Record<string, string>> = {
  ...{ string: 'a text', number: 'a number', integer: 'a whole number', boolean: 'true or false' },
  ...{ null: 'null', object: 'an object', array: 'a list' },
}

function isOfType(value: JsonValue, type: string): boolean {
  switch (type) {
    case 'null':
      return value === null
    case 'array':
      return isList(value)
    case 'object':
      return isObject(value)
    case 'integer':
      return Number.isInteger(value)
    default:
      return typeof value === type
  }
}

function checkChoices(
  schema: PreparedSchema,
  value: JsonValue,
  evaluated: Evaluated | null,
  check: Check,
): ValueIssue | null {
  const { reference, single, lists } = schema
  for (const each of reference === null ? lists.allOf : [reference, ...lists.allOf]) {
    const issue = check.run(each, value, evaluated)
    if (issue !== null) return issue
  }
  if (single.not !== undefined && passes(single.not, value, null, check)) return check.issue('is not allowed')
  const issue =
    checkAnyOf(lists.anyOf, value, evaluated, check) ?? checkOneOf(lists.oneOf, value, evaluated, check)
  if (issue !== null || single.if === undefined) return issue
  const next = passes(single.if, value, evaluated, check) ? single.then : single.else
  return next === undefined ? null : check.run(next, value, evaluated)
}

/** What a schema evaluates counts only if the value is valid by it. */
function passes(schema: Schema, value: JsonValue, evaluated: Evaluated | null, check: Check): boolean {
  const own = evaluated && nothingEvaluated()
  const isValid = check.run(schema, value, own) === null
  if (isValid) merge(own, evaluated)
  return isValid
}

function checkAnyOf(
  choices: readonly Schema[],
  value: JsonValue,
  evaluated: Evaluated | null,
  check: Check,
): ValueIssue | null {
  if (choices.length === 0) return null
  let found = false
  let deepest: ValueIssue | null = null
  for (const choice of choices) {
    const own = evaluated && nothingEvaluated()
    const issue = check.run(choice, value, own)
    if (issue === null) {
      found = true
      merge(own, evaluated)
      // The others matter only for what they evaluate.
      if (evaluated === null) return null
    } else if (deepest === null || issue.pointer.length > deepest.pointer.length) deepest = issue
  }
  return found ? null : deepest
}

function checkOneOf(
  choices: readonly Schema[],
  value: JsonValue,
  evaluated: Evaluated | null,
  check: Check,
): ValueIssue | null {
  let count = 0
  let deepest: ValueIssue | null = null
  for (const choice of choices) {
    const own = evaluated && nothingEvaluated()
    const issue = check.run(choice, value, own)
    if (issue === null) {
      merge(own, evaluated)
      if ((count += 1) > 1)
        return check.issue('matches more than one of the schemas of which it must match one')
    } else if (deepest === null || issue.pointer.length > deepest.pointer.length) deepest = issue
  }
  return choices.length === 0 || count === 1 ? null : deepest
}
