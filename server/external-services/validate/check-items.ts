// Checks the items of a list.
import { canonicalJson } from '#kernel/change/canonical.ts'
import type { JsonValue } from '../json.ts'
import type { PreparedSchema, Schema } from './prepared-schema.ts'
import type { ValueIssue } from '#kernel/service-values/index.ts'
import type { Check, Evaluated } from './check.ts'

type Items = readonly JsonValue[]

export function checkItems(
  schema: PreparedSchema,
  items: Items,
  evaluated: Evaluated | null,
  check: Check,
): ValueIssue | null {
  const { minItems, maxItems } = schema.limits
  if (minItems !== undefined && items.length < minItems)
    return check.issue(`must have at least ${minItems} items`)
  if (maxItems !== undefined && items.length > maxItems)
    return check.issue(`must have at most ${maxItems} items`)
  return (
    (schema.unique ? checkUnique(items, check) : null) ??
    checkEach(schema, items, evaluated, check) ??
    checkContains(schema, items, evaluated, check) ??
    checkUnevaluated(schema, items, evaluated, check)
  )
}

function checkUnique(items: Items, check: Check): ValueIssue | null {
  const seen = new Set<string>()
  for (const item of items) {
    const text = canonicalJson(item)
    check.spend(1 + (text.length >> 4))
    if (seen.has(text)) return check.issue('must not contain an item twice')
    seen.add(text)
  }
  return null
}

function checkEach(
  { prefixItems, single }: PreparedSchema,
  items: Items,
  evaluated: Evaluated | null,
  check: Check,
): ValueIssue | null {
  for (let at = 0; at < items.length; at += 1) {
    const schema = prefixItems[at] ?? single.items
    if (schema === undefined) return null
    evaluated?.items.add(at)
    const issue = checkItem(schema, items[at]!, at, check)
    if (issue !== null) return issue
  }
  return null
}

function checkItem(schema: Schema, item: JsonValue, at: number, check: Check): ValueIssue | null {
  check.path.push(at)
  const issue = check.run(schema, item, null)
  check.path.pop()
  return issue
}

function checkContains(
  { single: { contains }, limits }: PreparedSchema,
  items: Items,
  evaluated: Evaluated | null,
  check: Check,
): ValueIssue | null {
  if (contains === undefined) return null
  const { minContains = 1, maxContains = Infinity } = limits
  let count = 0
  for (let at = 0; at < items.length; at += 1) {
    if (checkItem(contains, items[at]!, at, check) !== null) continue
    count += 1
    evaluated?.items.add(at)
  }
  if (count < minContains) return check.issue(`must contain at least ${minContains} matching items`)
  return count > maxContains ? check.issue(`must contain at most ${maxContains} matching items`) : null
}

function checkUnevaluated(
  { single: { unevaluatedItems } }: PreparedSchema,
  items: Items,
  evaluated: Evaluated | null,
  check: Check,
): ValueIssue | null {
  if (unevaluatedItems === undefined || evaluated === null) return null
  for (let at = 0; at < items.length; at += 1) {
    if (evaluated.items.has(at)) continue
    const issue = checkItem(unevaluatedItems, items[at]!, at, check)
    if (issue !== null) return issue
    evaluated.items.add(at)
  }
  return null
}
