// What the saves of rows will look for: the records that they change or refer to, and those with a value that must be unique.
import type { FieldValue } from '#kernel/components/field-types.ts'
import type { ObjectField } from '#kernel/components/object/body.ts'
import {
  objectPrograms,
  parseFieldValue,
  type FieldId,
  type ObjectId,
  type ObjectPrograms,
  type RecordSnapshot,
} from '#kernel/records/index.ts'
import type { Foreseen } from '../../ports/record-store.ts'
import type { IngestItem } from './ingest-columns.ts'

/** Values that cannot be read are left out: their save refuses them. */
export function foreseeRows(
  present: RecordSnapshot,
  object: string,
  items: readonly IngestItem[],
): Foreseen[] {
  const programs = objectPrograms(present.view, object)
  if (programs === null) return []
  const seen = new Seen(present)
  for (const { id, fields } of items) {
    if (id !== undefined) seen.addId(object, id)
    for (const [name, value] of Object.entries(fields)) {
      const field = programs.field(name)
      if (field !== undefined) seen.addValue(programs, field, value)
    }
  }
  return seen.all()
}

class Seen {
  readonly #present: RecordSnapshot
  readonly #ids = new Map<ObjectId, Set<string>>()
  readonly #values = new Map<ObjectId, Map<FieldId, Set<FieldValue>>>()

  constructor(present: RecordSnapshot) {
    this.#present = present
  }

  addId(object: string, id: string): void {
    const identity = this.#present.names.objectId(object)
    if (identity === undefined) return
    const ids = this.#ids.get(identity)
    if (ids === undefined) this.#ids.set(identity, new Set([id]))
    else ids.add(id)
  }

  addValue({ object }: ObjectPrograms, field: ObjectField, input: unknown): void {
    const { type, unique, references } = field
    const target = type === 'reference' && references !== undefined ? references : null
    if (typeof input === 'object' && input !== null) {
      if (target !== null) this.#addTarget(target, input)
      return
    }
    if (!unique && target === null) return
    const parsed = parseFieldValue(field, input, this.#present.view)
    if (!parsed.ok || parsed.value === null) return
    if (unique) this.#add(object, field, parsed.value)
    if (target !== null) this.addId(target, parsed.value as string)
  }

  all(): Foreseen[] {
    return [
      ...[...this.#ids].map(([object, ids]) => ({ object, ids: [...ids] })),
      ...[...this.#values].flatMap(([object, fields]) =>
        [...fields].map(([field, values]) => ({ object, field, values: [...values] })),
      ),
    ]
  }

  /** A reference by a unique field of its target. */
  #addTarget(target: string, input: object): void {
    const programs = objectPrograms(this.#present.view, target)
    for (const [name, value] of Object.entries(input)) {
      const field = programs?.field(name)
      if (programs != null && field?.unique === true) this.addValue(programs, field, value)
    }
  }

  #add(object: string, { key }: ObjectField, value: FieldValue): void {
    const identity = this.#present.names.objectId(object)
    const field = this.#present.names.fieldIds(object).get(key)
    if (identity === undefined || field === undefined) return
    const fields = this.#values.get(identity) ?? new Map<FieldId, Set<FieldValue>>()
    this.#values.set(identity, fields)
    const values = fields.get(field)
    if (values === undefined) fields.set(field, new Set([value]))
    else values.add(value)
  }
}
