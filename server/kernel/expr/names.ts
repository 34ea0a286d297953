// The names that an expression can use at its site, and lookup of fields and objects by key or alias.
import type { ComponentOf } from '../components/body-types.ts'
import type { EarlierCall, ExpressionSite, Param } from '../components/expression-slot.ts'
import type { ObjectField } from '../components/object/body.ts'
import type { ComponentView } from '../components/view.ts'

export interface NameScope {
  /** The object whose fields are bare names; null without a record. */
  object: string | null
  /** The object that reads configuration, which a dated set must list (docs/reference/resolution-and-dates.md); null if the as-of date is passed. */
  reader: string | null
  params: readonly Param[]
  /** Their results are names: `<action key>.status` and `<action key>.body`. */
  calls: readonly EarlierCall[]
  /** Parameters of a calc function are passed in a call; all others are read from the evaluation's input. */
  paramsArePassed: boolean
  /** A save runs it, so it can read the record from before the save: `prior.<field>`, `changed(<field>)`, `isNew`. */
  hasPrior: boolean
  /** Reads the id of the record as `id`, if no field has this name. */
  hasId: boolean
  /** The value is stored and the same for every viewer (docs/reference/resolution-and-dates.md). */
  stored: boolean
  /** Reads stored fields of its own record alone: the filter of a roll-up, which a change elsewhere could not update. */
  ownFields: boolean
  /** For messages: "a stored formula". */
  title: string
}

const none = {
  ...{ object: null, reader: null, params: [], calls: [] },
  ...{ paramsArePassed: false, hasPrior: false, hasId: false, stored: false, ownFields: false },
}

/**
 * Returns the names of a site. A roll-up's filter sees the child's fields; its value is stored on, and dated by, the
 * parent.
 */
export function scopeOf(site: ExpressionSite): NameScope {
  switch (site.kind) {
    case 'field_default':
      return { ...none, object: site.object, reader: site.object, stored: true, title: 'a default' }
    case 'stored_formula':
      return { ...none, object: site.object, reader: site.object, stored: true, title: 'a stored formula' }
    case 'virtual_formula':
      return { ...none, object: site.object, reader: site.object, title: 'a formula' }
    case 'rollup_filter':
      return {
        ...none,
        object: site.child,
        reader: site.object,
        stored: true,
        ownFields: true,
        title: 'a roll-up',
      }
    case 'validation_rule':
      return {
        ...none,
        object: site.object,
        reader: site.object,
        hasPrior: true,
        title: 'a validation rule',
      }
    case 'sharing_rule':
      return { ...none, object: site.object, reader: site.object, title: 'a sharing rule' }
    case 'list_filter':
      return { ...none, object: site.object, reader: site.object, hasId: true, title: 'a list view' }
    case 'automation':
      return {
        ...none,
        object: site.object,
        reader: site.object,
        params: site.params,
        calls: site.calls ?? [],
        hasPrior: site.object !== null,
        hasId: site.object !== null,
        title: 'an automation',
      }
    case 'calc_function':
      return { ...none, params: site.params, paramsArePassed: true, title: 'a calc function' }
    case 'playground':
      return { ...none, params: site.inputs, title: 'the playground' }
  }
}

/** The object whose records an expression reads; null if it reads none. */
export const objectOfSite = (site: ExpressionSite): string | null => scopeOf(site).object

/** Whether a name is the record from before the save: `prior`, unless a parameter or a field has this name. */
export function isPriorRoot(
  name: string,
  { hasPrior, object, params }: Pick<NameScope, 'hasPrior' | 'object' | 'params'>,
  view: ComponentView,
): boolean {
  if (!hasPrior || name !== 'prior' || params.some(({ key }) => key === name)) return false
  return object !== null && fieldOf(view, object, name) === undefined
}

/** Returns the object with that key or alias. */
export function objectOf(view: ComponentView, name: string): ComponentOf<'object'> | undefined {
  const found = view.get('object', name)
  if (found !== undefined) return found
  for (const object of view.list('object')) if (object.body.aliases.includes(name)) return object
  return undefined
}

/** Returns the field with that key or alias. */
export function fieldOf(view: ComponentView, object: string, name: string): ObjectField | undefined {
  const fields = objectOf(view, object)?.body.fields ?? []
  return fields.find(({ key }) => key === name) ?? fields.find(({ aliases }) => aliases.includes(name))
}

export function fieldKeys(view: ComponentView, object: string): string[] {
  return (objectOf(view, object)?.body.fields ?? []).map(({ key }) => key)
}
