// What a CSDL document declares, the same for its XML and its JSON form. Names are not resolved yet.

export interface DeclaredProperty {
  name: string
  /** A qualified name, also with an alias of the namespace. */
  type: string
  isCollection: boolean
  isNullable: boolean
  precision: number | null
  /** `variable`: each value has its own. */
  scale: number | 'variable' | null
  /** Whether the source sets it. */
  isComputed: boolean
}

export interface DeclaredType {
  baseType: string | null
  /** Null if it is the key of the base type. */
  key: readonly string[] | null
  properties: readonly DeclaredProperty[]
}

export interface DeclaredEnum {
  members: readonly string[]
  /** Whether a value can have several members. */
  isFlags: boolean
}

export interface Schemas {
  /** By qualified name. */
  entityTypes: Map<string, DeclaredType>
  complexTypes: Set<string>
  enums: Map<string, DeclaredEnum>
  /** The underlying type of a type definition, with its facets. */
  definitions: Map<string, Pick<DeclaredProperty, 'type' | 'precision' | 'scale'>>
  entitySets: { name: string; type: string }[]
  /** Namespace by alias. */
  aliases: Map<string, string>
}

export const noSchemas = (): Schemas => ({
  entityTypes: new Map(),
  complexTypes: new Set(),
  enums: new Map(),
  definitions: new Map(),
  entitySets: [],
  aliases: new Map(),
})

/** Replaces the alias of a namespace. */
export function qualified(name: string, { aliases }: Pick<Schemas, 'aliases'>): string {
  const dot = name.lastIndexOf('.')
  const namespace = aliases.get(name.slice(0, dot))
  return namespace === undefined ? name : `${namespace}${name.slice(dot)}`
}

/** Of a precision or a scale. */
export function digits(facet: unknown): number | null {
  const number = typeof facet === 'string' ? Number(facet) : facet
  return typeof number === 'number' && Number.isInteger(number) && number >= 0 ? number : null
}

export const scaleOf = (facet: unknown): number | 'variable' | null =>
  facet === 'variable' || facet === 'floating' ? 'variable' : digits(facet)

export const computedTerm = 'Org.OData.Core.V1.Computed'
export const permissionsTerm = 'Org.OData.Core.V1.Permissions'
