// Removes a field that requires certain values of a neighbour when the neighbour changes, and restores it when they
// return.
import type { FieldDescriptor } from '#kernel/components/form.ts'
import type { JsonObject } from '../api/wire.ts'
import { isApplicable, partAt } from './widget.ts'

type Step = string | number
/** Where a value is written below the body; undefined removes it. */
export interface FieldChange {
  path: Step[]
  value: unknown
}

export interface DependentFields {
  /** Returns the change and the changes that follow from it. `steps` lead from the body to the changed value. */
  changesOf: (body: JsonObject, steps: readonly Step[], value: unknown) => FieldChange[]
}

export function dependentFields(fields: readonly FieldDescriptor[]): DependentFields {
  /** Removed values, by place; a moved item would get those of its old place. */
  const aside = new Map<string, unknown>()

  function changesOf(body: JsonObject, steps: readonly Step[], value: unknown): FieldChange[] {
    const change = { path: [...steps], value }
    const level = levelOf(fields, steps)
    if (level === null) {
      aside.clear()
      return [change]
    }
    const holder = valueAt(body, level.steps)
    const next = { ...holder, [level.name]: value as JsonObject }
    return [change, ...level.fields.flatMap((field) => follow(field, holder, next, level))]
  }

  function follow(field: FieldDescriptor, holder: JsonObject, next: JsonObject, level: Level): FieldChange[] {
    if (field.when?.path !== level.name) return []
    const path = [...level.steps, ...field.path.split('.')]
    const id = path.join('/')
    const value = partAt(holder, field.path)
    if (!isApplicable(field, next) && value !== undefined) {
      aside.set(id, value)
      return [{ path, value: undefined }]
    }
    if (isApplicable(field, next) && value === undefined && aside.has(id))
      return [{ path, value: aside.get(id) }]
    return []
  }

  return { changesOf }
}

interface Level {
  fields: readonly FieldDescriptor[]
  /** Steps from the body to the object that contains the fields. */
  steps: Step[]
  name: string
}

/** The fields next to the one that the steps lead to; null if they lead to a list, an item or no field at all. */
function levelOf(fields: readonly FieldDescriptor[], steps: readonly Step[]): Level | null {
  let level = fields
  let at = 0
  for (;;) {
    const rest = steps.slice(at)
    const field = level.find(({ path }) => startsWith(rest, path))
    if (field === undefined) return null
    const next = at + field.path.split('.').length
    if (next === steps.length) {
      const isList = field.widget === 'grid' || field.widget === 'list'
      return isList ? null : { fields: level, steps: steps.slice(0, at), name: field.path }
    }
    level = field.fields ?? []
    at = typeof steps[next] === 'number' ? next + 1 : next
  }
}

const startsWith = (steps: readonly Step[], path: string): boolean =>
  path.split('.').every((name, at) => steps[at] === name)

function valueAt(body: JsonObject, steps: readonly Step[]): JsonObject {
  const value = steps.reduce<unknown>(
    (part, name) => (part === null || part === undefined ? undefined : (part as Record<Step, unknown>)[name]),
    body,
  )
  return (value ?? {}) as JsonObject
}
