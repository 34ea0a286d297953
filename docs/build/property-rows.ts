// The properties of a body as rows of a table: from its schema, and from the form that the studio draws of it.
import type { FieldDescriptor, FormDescriptor } from '#kernel/components/form.ts'
import type { JsonSchema } from '#kernel/components/schema-lookup.ts'
import { joinWithOr } from '#kernel/components/report.ts'
import { code, plain } from './markdown.ts'
import { typeText } from './type-text.ts'

export interface PropertyRow {
  /** `fields[].key`; a step in angle brackets is a name that the author chooses. */
  path: string
  type: string
  required: boolean
  default: string
  meaning: string
  /** Conditions under which the property exists, as sentences. */
  conditions: readonly string[]
}

/** Returns a row for each property, the properties of its content after it. */
export function propertyRows(schema: JsonSchema, form: FormDescriptor): PropertyRow[] {
  const fields = new Map<string, FieldDescriptor>()
  for (const section of form.sections) for (const field of section.fields) collectFields(field, '', fields)
  const rows = rowsOf(schema, '', fields)
  // The content of a conditional property has its condition, which is not repeated.
  const conditionsAbove = (path: string): string[] =>
    rows
      .filter((row) => path !== row.path && path.startsWith(row.path))
      .flatMap(({ conditions }) => conditions)
  return rows.map((row) => {
    const above = conditionsAbove(row.path)
    return { ...row, conditions: row.conditions.filter((each) => !above.includes(each)) }
  })
}

function collectFields(field: FieldDescriptor, above: string, fields: Map<string, FieldDescriptor>): void {
  const path = above === '' ? field.path : `${above}.${field.path}`
  fields.set(path, field)
  for (const inner of field.fields ?? []) collectFields(inner, path, fields)
}

type Fields = ReadonlyMap<string, FieldDescriptor>

function rowsOf(schema: JsonSchema, path: string, fields: Fields): PropertyRow[] {
  const choices = [schema, ...(schema.oneOf ?? []), ...(schema.anyOf ?? [])]
  const objects = choices.filter(({ properties }) => properties !== undefined)
  if (objects.length > 1) return rowsOfVariants(objects, path, fields)
  const properties = objects[0]?.properties ?? {}
  const own = Object.entries(properties).flatMap(([name, property]) => {
    const at = path === '' ? name : `${path}.${name}`
    return [
      rowOf(at, property, objects[0]!.required?.includes(name) ?? false, fields),
      ...rowsOf(property, at, fields),
    ]
  })
  const contents = choices.flatMap((choice) => {
    if (choice.items !== undefined) return rowsOf(choice.items, `${path}[]`, fields)
    const { additionalProperties: content } = choice
    return typeof content === 'object' ? rowsOf(content, `${path}.<${nameOf(path, fields)}>`, fields) : []
  })
  return [...own, ...contents]
}

/** The steps of a form have no brackets and no names that the author chooses. */
const formPath = (path: string): string => path.replaceAll('[]', '').replace(/\.<[^>]*>/g, '')

/** What the author chooses as the name of a property. */
function nameOf(path: string, fields: Fields): string {
  const widget = fields.get(formPath(path))?.widget
  return widget === 'grants' ? 'permission set' : path === 'objects' ? 'object' : 'name'
}

function rowOf(path: string, schema: JsonSchema, required: boolean, fields: Fields): PropertyRow {
  const field = fields.get(formPath(path))
  const options = (field?.options ?? []).flatMap(({ value, help }) =>
    help === undefined ? [] : [`${code(value)}: ${plain(help)}`],
  )
  return {
    path,
    type: typeText(schema, field),
    required,
    default: schema.default === undefined ? '' : code(JSON.stringify(schema.default)),
    meaning: [plain(schema.description ?? ''), ...options].filter((part) => part !== '').join('<br>'),
    conditions: field?.when === undefined ? [] : [condition(path, field.when.path, field.when.in)],
  }
}

function condition(path: string, sibling: string, values: readonly (string | boolean)[]): string {
  const level = path.includes('.') ? `${path.slice(0, path.lastIndexOf('.'))}.` : ''
  return `Only if ${code(level + sibling)} is ${joinWithOr(values.map((value) => code(String(value))))}.`
}

/** Merges objects that differ by a property with one value in each, such as `scheme`. */
function rowsOfVariants(objects: readonly JsonSchema[], path: string, fields: Fields): PropertyRow[] {
  const name = Object.keys(objects[0]!.properties!).find((each) =>
    objects.every(({ properties }) => properties![each]?.const !== undefined),
  )
  if (name === undefined) return rowsOfAlternatives(objects, path, fields)
  const valueOf = (object: JsonSchema): string => String(object.properties![name]!.const)
  const merged = new Map<string, { row: PropertyRow; values: string[] }>()
  for (const object of objects)
    for (const row of rowsOf(object, path, fields)) {
      const isChoice = row.path === (path === '' ? name : `${path}.${name}`)
      const id = isChoice ? row.path : [row.path, row.type, row.required, row.default].join(' ')
      const known = merged.get(id) ?? { row, values: [] }
      known.values.push(valueOf(object))
      if (isChoice)
        known.row = {
          ...row,
          type: known.values.map(code).join(', '),
          meaning: row.meaning || 'Decides which other properties exist.',
        }
      merged.set(id, known)
    }
  const level = path === '' ? '' : `${path}.`
  return [...merged.values()].map(({ row, values }) => {
    if (values.length === objects.length) return row
    const start = `Only if ${code(level + name)} is `
    const others = row.conditions.filter((each) => !each.startsWith(start))
    return { ...row, conditions: [...others, `${start}${joinWithOr(values.map(code))}.`] }
  })
}

/** Joins objects that differ by the properties that they have; each property is required in its own. */
function rowsOfAlternatives(objects: readonly JsonSchema[], path: string, fields: Fields): PropertyRow[] {
  const names = objects.map(({ properties }) => Object.keys(properties!).map(code).join(' with '))
  const sentence = `Exactly one of ${names.join(' and ')}.`
  return objects.flatMap((object) =>
    rowsOf(object, path, fields).map((row) => ({
      ...row,
      required: false,
      conditions: [...row.conditions, sentence],
    })),
  )
}
