// Drafts a virtual object over an entity set: a component that an author reviews and applies.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { fieldOfProperty, type MappedShape } from './field-of-property.ts'
import { keyOfName, labelOfName } from './name-keys.ts'
import type { SourceProperty } from './entity-types.ts'
import type { EntitySet } from './source-model.ts'

export interface DraftedComponent {
  type: 'object' | 'value_set'
  key: string
  label: string
  body: Record<string, unknown>
}

export interface DraftedObject {
  object: DraftedComponent
  /** One for each enumeration that a field maps. */
  valueSets: DraftedComponent[]
  /** Properties without a field, and why. */
  unmapped: { property: string; reason: string }[]
  /** What was assumed. */
  notes: { property: string; note: string }[]
}

const keyTypes: ReadonlySet<string> = new Set([
  'Edm.String',
  'Edm.Guid',
  'Edm.Byte',
  'Edm.SByte',
  'Edm.Int16',
  'Edm.Int32',
  'Edm.Int64',
])

/** Why no virtual object can have the rows of an entity set; null if one can. */
export function refusedEntitySet({ name, key, keyProperty: property }: EntitySet): string | null {
  if (key.length === 0) return `${name} has no key, so nothing identifies a row.`
  if (key.length > 1)
    return `The key of ${name} has ${key.length} properties (${key.join(', ')}), but a record has one id. Expose an entity with a single key.`
  if (property === undefined || !keyTypes.has(property.type) || property.isCollection)
    return `The key of ${name}, ${key[0]}, is not a text, a GUID or a whole number.`
  return null
}

/**
 * @param taken keys of objects and value sets that exist
 * @throws AlmanacError `virtual.metadata` with the reason of `refusedEntitySet`
 */
export function draftObject(
  set: EntitySet,
  { dataSource, taken }: { dataSource: string; taken: { objects: Set<string>; valueSets: Set<string> } },
): DraftedObject {
  const reason = refusedEntitySet(set)
  if (reason !== null) throw new AlmanacError('virtual.metadata', reason)
  const draft: DraftedObject = {
    object: {
      type: 'object',
      key: keyOfName(set.name, taken.objects),
      label: labelOfName(set.name),
      body: {},
    },
    valueSets: [],
    unmapped: [],
    notes: [],
  }
  const keys = new Set<string>()
  const sets = new Map<string, string>()
  const fields = set.properties.flatMap((property) => {
    const mapping = fieldOfProperty(property)
    if (!mapping.ok) {
      draft.unmapped.push({ property: property.name, reason: mapping.reason })
      return []
    }
    if (mapping.note !== undefined) draft.notes.push({ property: property.name, note: mapping.note })
    const valueSet = mapping.shape.type === 'enum' ? valueSetOf(property) : undefined
    return [fieldOf(property, mapping.shape, keyOfName(property.name, keys), valueSet)]
  })
  const nameField = fields.find(
    ({ type, remoteField }) => type === 'text' && /(^|[a-z_])(name|title)$/i.test(remoteField),
  )
  draft.object.body = {
    storage: 'external',
    dataSource,
    remoteEntity: set.name,
    externalId: set.key[0],
    fields,
    nameField: nameField?.key,
  }
  return draft

  function valueSetOf({ type, enumeration }: SourceProperty): string {
    const known = sets.get(type)
    if (known !== undefined) return known
    const name = type.slice(type.lastIndexOf('.') + 1)
    const key = keyOfName(name, taken.valueSets)
    const values = enumeration!.members.map((member) => ({ key: member, label: labelOfName(member) }))
    draft.valueSets.push({ type: 'value_set', key, label: labelOfName(name), body: { values } })
    sets.set(type, key)
    return key
  }
}

function fieldOf(property: SourceProperty, shape: MappedShape, key: string, valueSet: string | undefined) {
  const { name, isNullable, isComputed } = property
  const isRequired = !isNullable && !isComputed
  return {
    key,
    ...shape,
    label: labelOfName(name),
    remoteField: name,
    valueSet,
    required: isRequired || undefined,
    readOnly: isComputed || undefined,
  }
}
