// Converts an item of a request, as a client sends it, to a save.
import { objectKeyOf } from '#kernel/components/object/object-named.ts'
import type { FieldValue } from '#kernel/components/field-types.ts'
import type { ObjectField } from '#kernel/components/object/body.ts'
import {
  objectPrograms,
  rowPrograms,
  parseFieldValue,
  type FieldProblem,
  type ObjectPrograms,
} from '#kernel/records/index.ts'
import type { StoredRecord } from '../../ports/record-store.ts'
import { canSeeRecord } from '../save/authorise.ts'
import { invalidRecord, notStored, unknownObject } from '../save/record-errors.ts'
import type { SaveContext, SaveItem } from '../save/save.ts'
import type { ItemResolver, RequestItem, SaveOutcome } from '../saves.ts'

export interface CommandItem {
  op: 'insert' | 'update' | 'upsert' | 'recompute' | 'delete'
  /** Key or alias. */
  object: string
  id?: string | undefined
  /** A unique field whose value in `fields` identifies the record. */
  externalId?: string | undefined
  version?: number | undefined
  /** By key or alias. A reference can be `{ "<unique field>": value }` of its target, or `{ "item": n }` of the request. */
  fields: Readonly<Record<string, unknown>>
}

export function requestItem(item: CommandItem): RequestItem {
  return (context, before) => resolveItem(context, item, before)
}

export const resolveItem = async (
  context: SaveContext,
  item: CommandItem,
  before: readonly SaveOutcome[],
): ReturnType<ItemResolver> => {
  const { op, version = null } = item
  const object = objectKeyOf(context.present.view, item.object) ?? item.object
  const programs = objectPrograms(context.present.view, object)
  const isVisible = context.access.canSeeObject(object)
  if (isVisible && rowPrograms(context.present.view, object)?.isVirtual === true) throw notStored(object)
  if (programs === null || !isVisible) throw unknown(context, item.object)
  requireOneIdentity(object, item)
  const id = item.id ?? (await externalRecord(context, programs, item))?.id
  if (op !== 'insert' && op !== 'upsert' && id === undefined) throw notIdentified(context, programs, item)
  if (op === 'delete' || op === 'recompute') return { op, object, id: id!, version }
  const values = await resolveReferences(context, programs, item.fields, before)
  if (op === 'insert' || id === undefined) return { op: 'insert', object, values }
  return { op: 'update', object, id, version, values } satisfies SaveItem
}

/** @throws AlmanacError `record.invalid` for what would otherwise be ignored */
function requireOneIdentity(object: string, { op, id, externalId, version }: CommandItem): void {
  const useless = op === 'insert' ? Object.entries({ id, externalId, version }) : []
  for (const [name, value] of useless)
    if (value !== undefined)
      throw refusal(
        object,
        name,
        `An item with "op": "insert" cannot have ${name === 'version' ? 'a' : 'an'} "${name}", because its record is new. Leave it out${name === 'externalId' ? ', or use "upsert"' : ''}.`,
      )
  if (id !== undefined && externalId !== undefined)
    throw refusal(object, 'externalId', 'An item has an "id" or an "externalId", not both.')
}

function unknown({ present, access }: SaveContext, name: string): Error {
  return unknownObject(
    name,
    [...present.view.keys('object')].filter((key) => access.canSeeObject(key)),
  )
}

/** @throws AlmanacError `record.invalid` if the field does not identify records */
async function externalRecord(
  context: SaveContext,
  programs: ObjectPrograms,
  { externalId, fields }: CommandItem,
): Promise<StoredRecord | undefined> {
  if (externalId === undefined) return undefined
  const { object } = programs
  const field = programs.field(externalId)
  if (field === undefined || !field.unique || !context.access.canReadField(object, field.key))
    throw refusal(object, externalId, `externalId: ${object} has no unique field "${externalId}".`)
  const sent = [field.key, ...field.aliases].find((name) => Object.hasOwn(fields, name))
  if (sent === undefined)
    throw refusal(object, externalId, `externalId: "fields" must contain a value for ${externalId}.`)
  return findVisible(context, object, field, fields[sent], (message) => refusal(object, sent, message))
}

function notIdentified({ present }: SaveContext, { object }: ObjectPrograms, item: CommandItem): Error {
  const { externalId, fields } = item
  if (externalId === undefined)
    return refusal(object, 'id', `An item with "op": "${item.op}" needs an "id" or an "externalId".`)
  const label = present.view.get('object', object)!.label
  return refusal(
    object,
    externalId,
    `No record of ${label} has the value ${JSON.stringify(fields[externalId] ?? null)} in ${externalId}.`,
  )
}

/** The record with a value of a unique field, if the caller can see it. */
async function findVisible(
  context: SaveContext,
  object: string,
  field: ObjectField,
  input: unknown,
  refuse: (message: string) => Error,
): Promise<StoredRecord | undefined> {
  const { present, tx } = context
  const parsed = parseFieldValue(field, input, present.view)
  if (!parsed.ok) throw refuse(parsed.message)
  if (parsed.value === null) return undefined
  const id = present.names.fieldIds(object).get(field.key)!
  const [record] = await tx.find(present.names.objectId(object)!, id, parsed.value, 1)
  return record !== undefined && (await canSeeRecord(context, object, record)) ? record : undefined
}

async function resolveReferences(
  context: SaveContext,
  programs: ObjectPrograms,
  fields: CommandItem['fields'],
  before: readonly SaveOutcome[],
): Promise<Record<string, unknown>> {
  let values: Record<string, unknown> | null = null
  for (const [name, sent] of Object.entries(fields)) {
    const field = programs.field(name)
    // A hidden field is refused as an unknown one.
    const isReference = field?.type === 'reference' && context.access.canReadField(programs.object, field.key)
    const isTarget = isReference && typeof sent === 'object' && sent !== null
    if (!isTarget) continue
    values ??= { ...fields }
    values[name] = await targetId(context, programs.object, field, name, sent, before)
  }
  return values ?? fields
}

async function targetId(
  context: SaveContext,
  object: string,
  field: ObjectField,
  name: string,
  sent: object,
  before: readonly SaveOutcome[],
): Promise<FieldValue> {
  const [[key, value] = [], ...others] = Object.entries(sent) as [string, unknown][]
  if (Array.isArray(sent) || key === undefined || others.length > 0)
    throw refusal(
      object,
      name,
      `${name}: write the ID of a record, or an object with one unique field of the target.`,
    )
  if (key === 'item' && typeof value === 'number') return itemId(object, name, value, before)
  const target = field.references!
  if (rowPrograms(context.present.view, target)?.isVirtual === true)
    throw refusal(
      object,
      name,
      `${name}: ${target} is virtual. Write the ID of one of its rows, which is a text.`,
    )
  const unique = objectPrograms(context.present.view, target)?.field(key)
  if (unique === undefined || !unique.unique || !context.access.canReadField(target, unique.key))
    throw refusal(object, name, `${name}: ${target} has no unique field "${key}".`)
  const refuse = (message: string): Error => refusal(object, name, `${name}: ${message}`)
  const record = await findVisible(context, target, unique, value, refuse)
  if (record === undefined)
    throw refusal(
      object,
      name,
      `${name}: no record of ${target} has the value ${JSON.stringify(value)} in ${key}.`,
    )
  return record.id
}

function itemId(object: string, name: string, index: number, before: readonly SaveOutcome[]): string {
  const outcome = before[index]
  if (outcome === undefined)
    throw refusal(
      object,
      name,
      `${name}: item ${index} does not come before this item. Items are counted from 0.`,
    )
  if (!outcome.ok || outcome.record === null)
    throw refusal(object, name, `${name}: item ${index} has no record, because it failed or deleted it.`)
  return outcome.record.id
}

function refusal(object: string, field: string, message: string): Error {
  return invalidRecord(object, [], [{ field, code: 'record.value', message } satisfies FieldProblem])
}
