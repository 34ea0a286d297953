// Forms as data: what the studio draws for a component type.
import type { ComponentType } from './component.ts'
import type { ExpressionRole } from './expression-role.ts'

export type Widget =
  | 'text'
  | 'multiline'
  | 'number'
  | 'switch'
  | 'select'
  | 'multiselect'
  | 'date'
  | 'reference'
  | 'references'
  | 'principal'
  | 'expression'
  | 'chain'
  | 'scope'
  | 'business_key'
  | 'entry_values'
  | 'grants'
  | 'object_field'
  | 'grid'
  | 'group'
  | 'map'
  | 'list'
  | 'json'
  | 'document'

export interface FieldDescriptor {
  /** Path below the body as property names, e.g. `keyedBy.type`; below a grid or group relative to the item. */
  path: string
  label: string
  help: string
  widget: Widget
  required?: boolean
  options?: readonly { value: string; label: string; help?: string }[]
  /** For `reference` and `references`: the types that can be picked. */
  refTypes?: readonly ComponentType[]
  /** For a `map`: its names are fields of objects, as `customer.city`. */
  ofFields?: boolean
  /** For `expression`, and for a `map` of expressions: its role. */
  expression?: ExpressionRole
  /** Columns of a `grid`, fields of a `group`. */
  fields?: readonly FieldDescriptor[]
  /** Of a `grid`: the fields that are columns of a line; several in one column if only one of them is shown. */
  columns?: readonly { title: string; paths: readonly string[] }[]
  /** Shown only if a different property of the same level has one of these values. */
  when?: { path: string; in: readonly (string | boolean)[] }
  placeholder?: string
}

export interface FormSection {
  title: string
  fields: readonly FieldDescriptor[]
}

/** Values that an author can fill in at once. */
export interface FormPreset {
  key: string
  label: string
  help: string
  /** By path below the body: a member replaces that of the body, and leaves out what it does not list. */
  values: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

export interface FormDescriptor {
  sections: readonly FormSection[]
  /** In the order in which they are offered. */
  presets?: readonly FormPreset[]
}
