// Checks the members of an object.
import { memberOf, type JsonObject } from '../json.ts'
import type { PreparedSchema, Schema } from './prepared-schema.ts'
import type { ValueIssue } from '#kernel/service-values/index.ts'
import type { Check, Evaluated } from './check.ts'

export function checkMembers(
  schema: PreparedSchema,
  object: JsonObject,
  evaluated: Evaluated | null,
  check: Check,
): ValueIssue | null {
  const names = Object.keys(object)
  return (
    checkPresence(schema, object, names, check) ??
    checkEach(schema, object, names, evaluated, check) ??
    checkDependent(schema, object, evaluated, check) ??
    checkUnevaluated(schema, object, names, evaluated, check)
  )
}

function checkPresence(
  { limits, required, dependentRequired }: PreparedSchema,
  object: JsonObject,
  names: readonly string[],
  check: Check,
): ValueIssue | null {
  const { minProperties, maxProperties } = limits
  if (minProperties !== undefined && names.length < minProperties)
    return check.issue(`must have at least ${minProperties} members`)
  if (maxProperties !== undefined && names.length > maxProperties)
    return check.issue(`must have at most ${maxProperties} members`)
  check.spend(required.length)
  const missing = required.find((name) => !Object.hasOwn(object, name))
  if (missing !== undefined) return check.issue(`must have the member "${missing}"`)
  for (const [name, others] of dependentRequired) {
    check.spend(1 + others.length)
    const other = Object.hasOwn(object, name)
      ? others.find((each) => !Object.hasOwn(object, each))
      : undefined
    if (other !== undefined) return check.issue(`must have the member "${other}", because it has "${name}"`)
  }
  return null
}

function checkEach(
  { properties, patterns, single }: PreparedSchema,
  object: JsonObject,
  names: readonly string[],
  evaluated: Evaluated | null,
  check: Check,
): ValueIssue | null {
  for (const name of names) {
    check.spend(1)
    const own = properties.get(name)
    const schemas = own === undefined ? [] : [own]
    for (const [matches, schema] of patterns ?? []) if (matches(name, check.spend)) schemas.push(schema)
    if (schemas.length === 0 && patterns !== null && single.additionalProperties !== undefined) {
      if (single.additionalProperties === false) return check.issue(`must not have the member "${name}"`)
      schemas.push(single.additionalProperties)
    }
    if (schemas.length > 0 || patterns === null) evaluated?.names.add(name)
    for (const schema of schemas) {
      const issue = checkMember(schema, object, name, check)
      if (issue !== null) return issue
    }
    if (single.propertyNames !== undefined && check.run(single.propertyNames, name, null) !== null)
      return check.issue(`must not have a member with the name "${name}"`)
  }
  return null
}

function checkMember(schema: Schema, object: JsonObject, name: string, check: Check): ValueIssue | null {
  check.path.push(name)
  const issue = check.run(schema, memberOf(object, name)!, null)
  check.path.pop()
  return issue
}

function checkDependent(
  { dependentSchemas }: PreparedSchema,
  object: JsonObject,
  evaluated: Evaluated | null,
  check: Check,
): ValueIssue | null {
  for (const [name, schema] of dependentSchemas) {
    const issue = Object.hasOwn(object, name) ? check.run(schema, object, evaluated) : null
    if (issue !== null) return issue
  }
  return null
}

function checkUnevaluated(
  { single: { unevaluatedProperties } }: PreparedSchema,
  object: JsonObject,
  names: readonly string[],
  evaluated: Evaluated | null,
  check: Check,
): ValueIssue | null {
  if (unevaluatedProperties === undefined || evaluated === null) return null
  for (const name of names) {
    if (evaluated.names.has(name)) continue
    if (unevaluatedProperties === false) return check.issue(`must not have the member "${name}"`)
    const issue = checkMember(unevaluatedProperties, object, name, check)
    if (issue !== null) return issue
    evaluated.names.add(name)
  }
  return null
}
