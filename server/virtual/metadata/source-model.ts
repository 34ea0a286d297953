// The entity sets of a source, with the properties of their types and base types.
import { readCsdlJson } from './csdl-json.ts'
import { readCsdlXml } from './csdl-xml.ts'
import { metadataLimits, refused } from './xml-elements.ts'
import { qualified, type DeclaredEnum, type DeclaredProperty, type Schemas } from './schemas.ts'

export interface SourceProperty extends DeclaredProperty {
  /** Its members, if its type is an enumeration. */
  enumeration: DeclaredEnum | null
}

export interface EntitySet {
  name: string
  /** The qualified name of the entity type. */
  type: string
  /** Paths of the key properties. */
  key: readonly string[]
  properties: readonly SourceProperty[]
}

/** In the order of their names. @throws AlmanacError `virtual.metadata` */
export function readMetadata(text: string): EntitySet[] {
  const { characters } = metadataLimits
  if (text.length > characters)
    throw refused(`has ${text.length} characters; at most ${characters} are allowed`)
  const trimmed = text.trimStart().replace(/^\uFEFF/, '')
  const schemas = trimmed.startsWith('{') ? readCsdlJson(trimmed) : readCsdlXml(trimmed)
  return schemas.entitySets
    .map(({ name, type }) => entitySetOf(name, qualified(type, schemas), schemas))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

function entitySetOf(name: string, type: string, schemas: Schemas): EntitySet {
  const properties: SourceProperty[] = []
  let key: readonly string[] = []
  const seen = new Set<string>()
  // From the type to its most general base type; a key is declared once in the chain.
  for (let at: string | null = type; at !== null && !seen.has(at);) {
    seen.add(at)
    const declared = schemas.entityTypes.get(at)
    if (declared === undefined) break
    properties.unshift(...declared.properties.map((property) => resolve(property, schemas)))
    if (key.length === 0) key = declared.key ?? []
    at = declared.baseType === null ? null : qualified(declared.baseType, schemas)
  }
  return { name, type, key, properties }
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
