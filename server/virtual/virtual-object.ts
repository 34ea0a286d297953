// A virtual object with its source, in one generation.
import type { ComponentOf } from '#kernel/components/body-types.ts'
import type { ExternalDataSourceBody } from '#kernel/components/external-data-source/body.ts'
import type { ObjectField, VirtualObjectBody } from '#kernel/components/object/body.ts'
import { remoteKindOf, remoteTypeOf, type RemoteKind } from '#kernel/components/object/remote-type.ts'
import type { ComponentView } from '#kernel/components/view.ts'

export interface MappedField {
  key: string
  field: ObjectField
  /** The remote property, or a path to it: `Address/City`. */
  remote: string
  remoteType: string
  kind: RemoteKind
}

export interface VirtualObject {
  key: string
  body: VirtualObjectBody
  source: { key: string; body: ExternalDataSourceBody }
  /** Fields of the source by key, without formulas. */
  fields: ReadonlyMap<string, MappedField>
  /** The properties that are read, each once. */
  select: readonly string[]
  /** How a key is written in a URL. */
  keyType: Pick<MappedField, 'remoteType' | 'kind'>
  /** The same for the key of a user in the owner column; null without one. */
  ownerType: Pick<MappedField, 'remoteType' | 'kind'> | null
}

/** Null if the object does not exist, is local, or has no source. */
export function virtualObjectOf(view: ComponentView, key: string): VirtualObject | null {
  const object = view.get('object', key)
  if (object?.body.storage !== 'external') return null
  const source = view.get('external_data_source', object.body.dataSource)
  return source === undefined ? null : mapObject(key, object.body, source)
}

function mapObject(
  key: string,
  body: VirtualObjectBody,
  source: ComponentOf<'external_data_source'>,
): VirtualObject {
  const fields = new Map<string, MappedField>()
  for (const field of body.fields) if (field.formula === undefined) fields.set(field.key, mappedField(field))
  const typeOf = (property: string): Pick<MappedField, 'remoteType' | 'kind'> =>
    [...fields.values()].find(({ remote }) => remote === property) ?? textProperty
  const { externalId, ownerColumn } = body
  return {
    key,
    body,
    source: { key: source.key, body: source.body },
    fields,
    select: selectOf(body, fields),
    keyType: typeOf(externalId),
    ownerType: ownerColumn === undefined ? null : typeOf(ownerColumn),
  }
}

function selectOf(
  { externalId, ownerColumn }: VirtualObjectBody,
  fields: VirtualObject['fields'],
): readonly string[] {
  const owner = ownerColumn === undefined ? [] : [ownerColumn]
  return [...new Set([externalId, ...owner, ...[...fields.values()].map(({ remote }) => remote)])]
}

/** The object with some of its fields, for a list that needs no others. */
export function withFields(object: VirtualObject, keys: ReadonlySet<string>): VirtualObject {
  const fields = new Map([...object.fields].filter(([key]) => keys.has(key)))
  return { ...object, fields, select: selectOf(object.body, fields) }
}

const textProperty = { remoteType: 'Edm.String', kind: 'string' } as const

function mappedField(field: ObjectField): MappedField {
  return {
    key: field.key,
    field,
    remote: field.remoteField ?? field.key,
    remoteType: remoteTypeOf(field),
    kind: remoteKindOf(field),
  }
}
