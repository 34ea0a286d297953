// The expressions of a component: its form defines their places and roles.
import type { Component } from './body-types.ts'
import { expressionPlace, isCredentialKey } from './expression-role.ts'
import type { ExpressionSlot } from './expression-slot.ts'
import type { FieldDescriptor, FormDescriptor } from './form.ts'
import { formOf } from './forms.ts'
import { pointer } from './pointer.ts'
import { valueAt } from './schema-lookup.ts'

type Steps = readonly (string | number)[]

/** Returns every expression with its place, in the order of the form. */
export function expressionSlots(component: Component): ExpressionSlot[] {
  return leadingFields(formOf(component.type)).flatMap((field) => slotsIn(component, field, []))
}

function slotsIn(component: Component, field: FieldDescriptor, holder: Steps): ExpressionSlot[] {
  const steps = [...holder, ...field.path.split('.')]
  const value = valueAt(component.body, steps)
  const { expression } = field
  if (expression !== undefined)
    return sourcesIn(value, steps)
      .filter(([, source]) => expression !== 'automation_credential' || !isCredentialKey(source))
      .map(([at, source]) => ({
        path: pointer('body', ...at),
        source,
        ...expressionPlace(expression, component.key, component.body, at),
      }))
  if (value === undefined) return []
  const items = Array.isArray(value) ? value.map((_, at) => [...steps, at]) : [steps]
  return items.flatMap((item) => field.fields!.flatMap((inner) => slotsIn(component, inner, item)))
}

/** Returns an expression, or each expression of a map. */
function sourcesIn(value: unknown, steps: Steps): [Steps, string][] {
  if (typeof value === 'string') return [[steps, value]]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).map(([name, source]) => [[...steps, name], String(source)])
}

const leadingByForm = new Map<FormDescriptor, readonly FieldDescriptor[]>()

/** Returns the fields of a form that are or contain expressions. */
function leadingFields(form: FormDescriptor): readonly FieldDescriptor[] {
  const leading =
    leadingByForm.get(form) ?? form.sections.flatMap(({ fields }) => fields.flatMap(leadingField))
  leadingByForm.set(form, leading)
  return leading
}

function leadingField(field: FieldDescriptor): FieldDescriptor[] {
  if (field.expression !== undefined) return [field]
  const fields = (field.fields ?? []).flatMap(leadingField)
  return fields.length === 0 ? [] : [{ ...field, fields }]
}
