// Writes the record, or removes it.
import type { FieldId, StoredBinding } from '#kernel/records/index.ts'
import type { BoundTo, RecordChange, StoredRecord } from '../../ports/record-store.ts'
import { canSee, shownPlaces } from './authorise.ts'
import { capturedBy } from './captured-by.ts'
import { recordReferenced, tooManyRecords } from './record-errors.ts'
import type { Phase, Save } from './save.ts'

/** Records that one item can change, the item included. */
const maxTouched = 2000

/** @throws AlmanacError `limit.save_records` */
export const write: Phase = {
  name: 'write',
  async run(save) {
    const { context, before, values, shape } = save
    touch(save)
    const record: StoredRecord = {
      id: save.id,
      object: save.objectId,
      version: (before?.version ?? 0) + 1,
      createdAt: before?.createdAt ?? context.now,
      createdBy: before?.createdBy ?? context.actor,
      changedAt: context.now,
      changedBy: context.actor,
      values,
      bindings: shape!.bindings,
      inputs: shape!.inputs,
    }
    await (before === null ? context.tx.insert(record) : context.tx.update(record))
    save.after = record
    save.written = context.touched
    context.latest.set(save.id, record)
    const operation = isErasure(save) ? 'erase' : 'update'
    await appendChange(save, before === null ? 'insert' : operation)
  },
}

/** @throws AlmanacError `record.referenced`, `limit.save_records` */
export const remove: Phase = {
  name: 'remove',
  async run(save) {
    const { context, object, objectId, id } = save
    const { visible, others } = await referrersOf(save)
    if (visible.length > 0 || others) throw recordReferenced(object, id, visible, others)
    touch(save)
    await context.tx.remove(objectId, id)
    save.written = context.touched
    context.latest.set(id, null)
    await appendChange(save, 'delete')
  },
}

/** Named in an error. */
const maxNamed = 10

/** The records that refer to a record: some that the user can see, and whether there are others. */
async function referrersOf(save: Save): Promise<{ visible: string[]; others: boolean }> {
  const { context, object, id } = save
  const { view, names } = context.present
  const visible = new Set<string>()
  let others = false
  for (const other of view.list('object')) {
    if (other.body.storage !== 'local') continue
    for (const { key, type, references, formula } of other.body.fields) {
      if (type !== 'reference' || references !== object || formula?.stored === false) continue
      const field = names.fieldIds(other.key).get(key)!
      // A record that refers to itself does not keep itself.
      for (const each of await context.tx.find(names.objectId(other.key)!, field, id, maxNamed + 1)) {
        if (each.id === id) continue
        const isNamed = visible.has(`${other.key}/${each.id}`) || visible.size < maxNamed
        if (isNamed && (await canSee(save, other.key, each))) visible.add(`${other.key}/${each.id}`)
        else others = true
      }
    }
  }
  return { visible: [...visible], others }
}

const isErasure = ({ erased }: Save): boolean => erased !== null && erased.size > 0

function touch({ context, chain, object, id, erased }: Save): void {
  context.touched += 1
  if (erased === null && context.touched > maxTouched)
    throw tooManyRecords(shownPlaces(context, [...chain, `${object}/${id}`]), maxTouched)
}

async function appendChange(save: Save, operation: RecordChange['operation']): Promise<void> {
  const change = changeOf(save, operation)
  const channels = capturedBy(save.context.present, save.object, change)
  await save.context.tx.appendChange(channels === undefined ? change : { ...change, channels })
}

function changeOf(save: Save, operation: RecordChange['operation']): RecordChange {
  const { context, objectId, id, before, after } = save
  const [earlier, later] = [before?.values ?? noValues, after?.values ?? noValues]
  const fields: FieldChange[] = []
  const compare = (field: FieldId): void => {
    const [was, is] = [earlier.get(field) ?? null, later.get(field) ?? null]
    if (was === is) return
    fields.push({ field, before: save.erased === null ? was : (save.erased.get(field) ?? null), after: is })
  }
  for (const field of later.keys()) compare(field)
  for (const field of earlier.keys()) if (!later.has(field)) compare(field)
  const bindings = after === null || before === null ? [] : rebound(before.bindings, after.bindings)
  return {
    object: objectId,
    record: id,
    version: (after ?? before)!.version,
    operation,
    at: context.now,
    by: context.actor,
    correlationId: context.correlationId,
    generation: context.present.generation,
    fields: fields.sort((a, b) => a.field - b.field),
    bindings,
  }
}

/** A value that is stored for the first time is not bound differently. */
function rebound(earlier: Bindings, later: Bindings): RecordChange['bindings'] {
  const found: { field: FieldId; before: BoundTo; after: BoundTo }[] = []
  for (const [field, binding] of later) {
    const known = earlier.get(field)
    if (known === undefined || known === binding) continue
    const [before, after] = [boundTo(known), boundTo(binding)]
    if (before.generation !== after.generation || before.archived !== after.archived)
      found.push({ field, before, after })
  }
  return found.sort((a, b) => a.field - b.field)
}

const boundTo = ({ generation, archived }: StoredBinding): BoundTo => ({
  generation,
  archived: archived !== undefined,
})

type Bindings = StoredRecord['bindings']

type FieldChange = RecordChange['fields'][number]

const noValues: StoredRecord['values'] = new Map()
