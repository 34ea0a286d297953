// CSDL JSON of OData 4.01. A property is not nullable by default, which is the opposite of the XML form.
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
import { refused } from './xml-elements.ts'

type Json = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** @throws AlmanacError `virtual.metadata` */
export function readCsdlJson(text: string): Schemas {
  const document = parse(text)
  if (!isObject(document) || typeof document['$Version'] !== 'string')
    throw refused('is JSON without "$Version", so it is not a CSDL document')
  const schemas = noSchemas()
  const declared = Object.entries(document).filter(
    (entry): entry is [string, Json] => !entry[0].startsWith('$') && isObject(entry[1]),
  )
  for (const [namespace, schema] of declared)
    if (typeof schema['$Alias'] === 'string') schemas.aliases.set(schema['$Alias'], namespace)
  for (const each of Object.values(isObject(document['$Reference']) ? document['$Reference'] : {}))
    for (const include of isObject(each) && Array.isArray(each['$Include']) ? each['$Include'] : [])
      if (isObject(include) && typeof include['$Alias'] === 'string')
        schemas.aliases.set(include['$Alias'], String(include['$Namespace']))
  for (const [namespace, schema] of declared)
    for (const [name, element] of members(schema)) readElement(`${namespace}.${name}`, element, schemas)
  return schemas
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw refused('is not valid JSON')
  }
}

function readElement(name: string, element: Json, schemas: Schemas): void {
  switch (element['$Kind']) {
    case 'EntityType':
      schemas.entityTypes.set(name, {
        baseType: typeof element['$BaseType'] === 'string' ? element['$BaseType'] : null,
        key: Array.isArray(element['$Key']) ? element['$Key'].map(keyName) : null,
        properties: members(element)
          .filter(([, property]) => property['$Kind'] === undefined || property['$Kind'] === 'Property')
          .map(([property, each]) => readProperty(property, each, schemas)),
      })
      break
    case 'ComplexType':
      schemas.complexTypes.add(name)
      break
    case 'EnumType':
      schemas.enums.set(name, {
        members: Object.keys(element).filter((key) => !/[$@]/.test(key)),
        isFlags: element['$IsFlags'] === true,
      })
      break
    case 'TypeDefinition':
      schemas.definitions.set(name, { type: String(element['$UnderlyingType']), ...facetsOf(element) })
      break
    case 'EntityContainer':
      for (const [set, each] of members(element))
        if (each['$Collection'] === true) schemas.entitySets.push({ name: set, type: String(each['$Type']) })
  }
}

function readProperty(name: string, element: Json, schemas: Schemas): DeclaredProperty {
  return {
    name,
    type: typeof element['$Type'] === 'string' ? element['$Type'] : 'Edm.String',
    isCollection: element['$Collection'] === true,
    isNullable: element['$Nullable'] === true,
    ...facetsOf(element),
    isComputed: Object.entries(element).some(([key, value]) => {
      const term = key.startsWith('@') ? qualified(key.slice(1), schemas) : ''
      return (term === computedTerm && value !== false) || (term === permissionsTerm && value === 'Read')
    }),
  }
}

const facetsOf = (element: Json): Pick<DeclaredProperty, 'precision' | 'scale'> => ({
  precision: digits(element['$Precision']),
  scale: scaleOf(element['$Scale']),
})

/** Without facets and annotations. */
const members = (element: Json): [string, Json][] =>
  Object.entries(element).filter(
    (entry): entry is [string, Json] => !/[$@]/.test(entry[0]) && isObject(entry[1]),
  )

/** A key property can have an alias: `{ "Id": "Address/Id" }`. */
const keyName = (key: unknown): string =>
  typeof key === 'string' ? key : isObject(key) ? String(Object.values(key)[0]) : ''
