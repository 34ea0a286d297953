// CSDL XML of OData 4: `$metadata` as most services send it.
import {
  computedTerm,
  digits,
  noSchemas,
  permissionsTerm,
  qualified,
  scaleOf,
  type DeclaredProperty,
  type Schemas,
} from './schemas.ts'
import { readXml, refused, type XmlElement } from './xml-elements.ts'

const edmx = 'http://docs.oasis-open.org/odata/ns/edmx'

/** @throws AlmanacError `virtual.metadata` */
export function readCsdlXml(text: string): Schemas {
  const root = readXml(text)
  if (root.name !== 'Edmx') throw refused(`begins with <${root.name.slice(0, 80)}>, not with <edmx:Edmx>`)
  if (root.namespace !== edmx)
    throw refused(
      `is of a different protocol version: its namespace is ${root.namespace.slice(0, 80)}. OData 4 is needed; many services have it at a different URL`,
    )
  const schemas = noSchemas()
  const declared = childrenOf(root, 'DataServices').flatMap((each) => childrenOf(each, 'Schema'))
  const included = childrenOf(root, 'Reference').flatMap((each) => childrenOf(each, 'Include'))
  for (const { attributes } of [...included, ...declared])
    if (attributes['Alias'] !== undefined && attributes['Namespace'] !== undefined)
      schemas.aliases.set(attributes['Alias'], attributes['Namespace'])
  const computed = computedElsewhere(declared, schemas)
  for (const schema of declared) readSchema(schema, schemas, computed)
  return schemas
}

function readSchema(schema: XmlElement, schemas: Schemas, computed: ReadonlySet<string>): void {
  const { entityTypes, complexTypes, enums, definitions, entitySets } = schemas
  for (const element of schema.children) {
    const { attributes } = element
    const name = `${attributes['Namespace'] ?? schema.attributes['Namespace']}.${attributes['Name']}`
    switch (element.name) {
      case 'EntityType': {
        const key = childrenOf(element, 'Key')[0]
        entityTypes.set(name, {
          baseType: attributes['BaseType'] ?? null,
          key:
            key === undefined ? null : childrenOf(key, 'PropertyRef').map((ref) => ref.attributes['Name']!),
          properties: childrenOf(element, 'Property').map((property) =>
            readProperty(property, name, schemas, computed),
          ),
        })
        break
      }
      case 'ComplexType':
        complexTypes.add(name)
        break
      case 'EnumType':
        enums.set(name, {
          members: childrenOf(element, 'Member').map((member) => member.attributes['Name']!),
          isFlags: attributes['IsFlags'] === 'true',
        })
        break
      case 'TypeDefinition':
        definitions.set(name, { type: attributes['UnderlyingType'] ?? '', ...facetsOf(element) })
        break
      case 'EntityContainer':
        for (const set of childrenOf(element, 'EntitySet'))
          entitySets.push({ name: set.attributes['Name'] ?? '', type: set.attributes['EntityType'] ?? '' })
    }
  }
}

function readProperty(
  element: XmlElement,
  owner: string,
  schemas: Schemas,
  computed: ReadonlySet<string>,
): DeclaredProperty {
  const { Name: name = '', Type: type = 'Edm.String', Nullable: nullable } = element.attributes
  const collection = /^Collection\((.*)\)$/.exec(type)
  return {
    name,
    type: collection?.[1] ?? type,
    isCollection: collection !== null,
    isNullable: nullable !== 'false',
    ...facetsOf(element),
    isComputed:
      computed.has(`${owner}/${name}`) ||
      childrenOf(element, 'Annotation').some((annotation) => setsComputed(annotation, schemas)),
  }
}

const facetsOf = ({ attributes }: XmlElement): Pick<DeclaredProperty, 'precision' | 'scale'> => ({
  precision: digits(attributes['Precision']),
  scale: scaleOf(attributes['Scale']),
})

/** Properties whose annotations are beside their type, as `Namespace.Type/Property`. */
function computedElsewhere(declared: readonly XmlElement[], schemas: Schemas): Set<string> {
  const targets = declared
    .flatMap((schema) => childrenOf(schema, 'Annotations'))
    .filter((each) => childrenOf(each, 'Annotation').some((one) => setsComputed(one, schemas)))
    .map(({ attributes }) => (attributes['Target'] ?? '').split('/'))
  return new Set(targets.map(([type = '', ...rest]) => [qualified(type, schemas), ...rest].join('/')))
}

function setsComputed({ attributes }: XmlElement, schemas: Schemas): boolean {
  const term = qualified(attributes['Term'] ?? '', schemas)
  if (term === computedTerm) return attributes['Bool'] !== 'false'
  return term === permissionsTerm && /\/Read$/.test(attributes['EnumMember'] ?? '')
}

const childrenOf = ({ children }: XmlElement, name: string): XmlElement[] =>
  children.filter((child) => child.name === name)
