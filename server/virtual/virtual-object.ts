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
  const remotes = [...fields.values()].map(({ remote }) => remote)
  const { externalId, ownerColumn } = body
  const owner = ownerColumn === undefined ? [] : [ownerColumn]
  return {
    key,
    body,
    source: { key: source.key, body: source.body },
    fields,
    select: [...new Set([externalId, ...owner, ...remotes])],
    keyType: typeOf(externalId),
    ownerType: ownerColumn === undefined ? null : typeOf(ownerColumn),
  }
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
