// The entity sets of a source, with the properties of their types and base types.
import { readCsdlJson } from './csdl-json.ts'
import { readCsdlXml } from './csdl-xml.ts'
import { metadataLimits, refused } from './xml-elements.ts'
import { qualified } from './schemas.ts'
import { EntityTypes, type SourceProperty } from './entity-types.ts'

export interface EntitySet {
  name: string
  /** The qualified name of the entity type. */
  type: string
  /** Paths of the key properties. */
  key: readonly string[]
  propertyCount: number
  /** Of the first key property; undefined if the type does not have it. */
  keyProperty: SourceProperty | undefined
  /** Listed when they are needed: the sets of a service together can inherit very many. */
  readonly properties: readonly SourceProperty[]
}

/** In the order of their names. @throws AlmanacError `virtual.metadata` */
export function readMetadata(text: string): EntitySet[] {
  const { characters } = metadataLimits
  if (text.length > characters)
    throw refused(`has ${text.length} characters; at most ${characters} are allowed`)
  const trimmed = text.trimStart().replace(/^\uFEFF/, '')
  const schemas = trimmed.startsWith('{') ? readCsdlJson(trimmed) : readCsdlXml(trimmed)
  const types = new EntityTypes(schemas)
  return schemas.entitySets
    .map(({ name, type }) => entitySetOf(name, qualified(type, schemas), types))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

function entitySetOf(name: string, type: string, types: EntityTypes): EntitySet {
  const { key, propertyCount, keyProperty } = types.find(type)
  return {
    ...{ name, type, key, propertyCount, keyProperty },
    get properties() {
      return types.propertiesOf(type)
    },
  }
}
