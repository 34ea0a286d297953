// Reads an entity of an OData payload as a row.
import type { FieldValue } from '#kernel/components/field-types.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import type { RemoteRow } from '../remote-row.ts'
import type { VirtualObject } from '../virtual-object.ts'
import { controlOf, isJsonObject, propertyOf } from './payload.ts'
import { readValue, textOf } from './read-value.ts'

export interface ReadRow extends RemoteRow {
  /** The key in the owner column; null if it is absent or is not a text. */
  owner: string | null
}

/** Null if it has no readable key, so that nothing could refer to it. */
export function readRow(json: unknown, object: VirtualObject, view: ComponentView): ReadRow | null {
  if (!isJsonObject(json)) return null
  const id = textOf(propertyOf(json, object.body.externalId), object.keyType)
  if (id === null || id === '') return null
  const fields = new Map<string, FieldValue>()
  const errors = new Map<string, string>()
  for (const field of object.fields.values()) {
    const read = readValue(propertyOf(json, field.remote), field, view)
    fields.set(field.key, read.ok ? read.value : null)
    if (!read.ok) errors.set(field.key, read.reason)
  }
  const etag = controlOf(json, 'etag')
  const { ownerColumn } = object.body
  const owner = ownerColumn === undefined ? null : textOf(propertyOf(json, ownerColumn), object.ownerType!)
  return { id, version: typeof etag === 'string' && etag !== '' ? etag : null, fields, errors, owner }
}
