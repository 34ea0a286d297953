// The entity types of a source with what they inherit. Each is resolved once, because very many can derive from each other.
import {
  qualified,
  type DeclaredEnum,
  type DeclaredProperty,
  type DeclaredType,
  type Schemas,
} from './schemas.ts'

export interface SourceProperty extends DeclaredProperty {
  /** Its members, if its type is an enumeration. */
  enumeration: DeclaredEnum | null
}

export interface EntityType {
  base: EntityType | null
  /** Without those of the base type. */
  ownProperties: readonly SourceProperty[]
  propertyCount: number
  /** Paths of the key properties; a key is declared once among a type and its base types. */
  key: readonly string[]
  keyProperty: SourceProperty | undefined
}

const unknownType: EntityType = {
  ...{ base: null, ownProperties: [], propertyCount: 0, key: [], keyProperty: undefined },
}

export class EntityTypes {
  readonly #schemas: Schemas
  readonly #types = new Map<string, EntityType>()

  constructor(schemas: Schemas) {
    this.#schemas = schemas
  }

  /** Returns a type without properties for a name that is not declared. */
  find(name: string): EntityType {
    const chain = new Map<string, DeclaredType>()
    let at: string | null = name
    while (at !== null && !this.#types.has(at) && !chain.has(at)) {
      const declared = this.#schemas.entityTypes.get(at)
      if (declared === undefined) break
      chain.set(at, declared)
      at = declared.baseType === null ? null : qualified(declared.baseType, this.#schemas)
    }
    let base = this.#types.get(at ?? '') ?? null
    // A type that derives from itself has no base type.
    let isInCycle = at !== null && chain.has(at)
    for (const [each, declared] of [...chain].toReversed()) {
      const type = this.#typeOf(declared, isInCycle ? null : base)
      this.#types.set(each, type)
      base = type
      if (each === at) isInCycle = false
    }
    return this.#types.get(name) ?? unknownType
  }

  /** Returns the properties of the most general type first. */
  propertiesOf(name: string): SourceProperty[] {
    const lists: (readonly SourceProperty[])[] = []
    for (let type: EntityType | null = this.find(name); type !== null; type = type.base)
      lists.push(type.ownProperties)
    return lists.toReversed().flat()
  }

  #typeOf(declared: DeclaredType, base: EntityType | null): EntityType {
    const ownProperties = declared.properties.map((property) => resolve(property, this.#schemas))
    const isKeyOwn = declared.key !== null && declared.key.length > 0
    const key = isKeyOwn ? declared.key! : (base?.key ?? [])
    return {
      ...{ base, ownProperties, key },
      propertyCount: ownProperties.length + (base?.propertyCount ?? 0),
      keyProperty:
        (isKeyOwn ? propertyIn(base, key[0]!) : base?.keyProperty) ??
        ownProperties.find((property) => property.name === key[0]),
    }
  }
}

function propertyIn(type: EntityType | null, name: string): SourceProperty | undefined {
  let found: SourceProperty | undefined
  for (let at = type; at !== null; at = at.base)
    found = at.ownProperties.find((property) => property.name === name) ?? found
  return found
}

function resolve(property: DeclaredProperty, schemas: Schemas): SourceProperty {
  const type = qualified(property.type, schemas)
  const definition = schemas.definitions.get(type)
  const resolved = { ...property, type: definition?.type ?? type }
  return {
    ...resolved,
    precision: property.precision ?? definition?.precision ?? null,
    scale: property.scale ?? definition?.scale ?? null,
    enumeration: schemas.enums.get(type) ?? null,
  }
}
