// Loads the records that the expressions of a record read along references, level by level.
import type { FieldValue } from '#kernel/components/field-types.ts'
import type { ObjectField } from '#kernel/components/object/body.ts'
import {
  automationsOn,
  rowPrograms,
  referencesRead,
  type FieldId,
  type FieldProgram,
  type LoadedRecords,
  type ObjectPrograms,
  type RecordSnapshot,
  type RecordState,
} from '#kernel/records/index.ts'
import type { RecordReader, StoredRecord } from '../../ports/record-store.ts'

export type Values = ReadonlyMap<FieldId, FieldValue>

/** A record with the generations whose expressions are evaluated over it. */
export interface Reading {
  snapshot: RecordSnapshot
  object: string
  records: readonly Values[]
}

/** Whether the formulas and sharing rules of an object read no other records. */
export function readsAlone(snapshot: RecordSnapshot, object: string): boolean {
  return chainsOf(snapshot, object, 'read').length === 0
}

const none: LoadedRecords = () => undefined

export async function loadRelated(
  tx: Pick<RecordReader, 'get'>,
  readings: readonly Reading[],
  purpose: Purpose = 'save',
): Promise<LoadedRecords> {
  if (readings.every(({ snapshot, object }) => chainsOf(snapshot, object, purpose).length === 0)) return none
  const loaded = new Map<string, StoredRecord | undefined>()
  for (const { snapshot, object, records } of readings)
    for (const chain of chainsOf(snapshot, object, purpose))
      await loadChain(tx, snapshot, object, records, chain, loaded)
  return (id) => loaded.get(id)
}

/** Loads what programs beyond those of the generation read. */
export async function loadFor(
  tx: Pick<RecordReader, 'get'>,
  { snapshot, object, records }: Reading,
  programs: readonly FieldProgram[],
): Promise<LoadedRecords> {
  const loaded = new Map<string, StoredRecord | undefined>()
  for (const program of programs)
    for (const chain of referencesRead(snapshot, object, program))
      await loadChain(tx, snapshot, object, records, chain, loaded)
  return (id) => loaded.get(id)
}

async function loadChain(
  tx: Pick<RecordReader, 'get'>,
  { names, view }: RecordSnapshot,
  object: string,
  records: readonly Values[],
  chain: readonly string[],
  loaded: Map<string, StoredRecord | undefined>,
): Promise<void> {
  let at: string | undefined = object
  let level = records
  for (const name of chain) {
    const field: ObjectField | undefined = at === undefined ? undefined : rowPrograms(view, at)?.field(name)
    if (field === undefined) return
    const fieldId = names.fieldIds(at!).get(field.key)!
    at = field.references
    const isStored = at !== undefined && rowPrograms(view, at)?.isVirtual === false
    const target = isStored ? names.objectId(at!) : undefined
    if (target === undefined) return
    const ids = level.flatMap((values) => {
      const id = values.get(fieldId)
      return typeof id === 'string' ? [id] : []
    })
    const absent = [...new Set(ids.filter((id) => !loaded.has(id)))]
    for (const id of absent) loaded.set(id, undefined)
    for (const record of await tx.get(target, absent)) loaded.set(record.id, record)
    level = ids.flatMap((id) => loaded.get(id)?.values ?? [])
  }
}

/** The loaded records that the expressions of a record read along references, for a save or a read. */
export function recordsAlong(
  snapshot: RecordSnapshot,
  object: string,
  values: Values,
  loaded: LoadedRecords,
): StoredRecord[] {
  const found = new Map<string, StoredRecord>()
  for (const purpose of ['save', 'read'] as const)
    for (const chain of chainsOf(snapshot, object, purpose)) {
      let at: string | undefined = object
      let level: Values | undefined = values
      for (const name of chain) {
        const field: ObjectField | undefined =
          at === undefined ? undefined : rowPrograms(snapshot.view, at)?.field(name)
        if (field === undefined || level === undefined) break
        const id: FieldValue | undefined = level.get(snapshot.names.fieldIds(at!).get(field.key)!)
        const record: RecordState | undefined = typeof id === 'string' ? loaded(id) : undefined
        // What is loaded was stored.
        if (record !== undefined) found.set(record.id, record as StoredRecord)
        level = record?.values
        at = field.references
      }
    }
  return [...found.values()]
}

/** What the records are loaded for: a save, or a read with its virtual formulas. */
export type Purpose = 'save' | 'read'

const chains = new WeakMap<RecordSnapshot['view'], Map<string, readonly (readonly string[])[]>>()

/** The references that the expressions of an object follow. */
function chainsOf(
  snapshot: RecordSnapshot,
  object: string,
  purpose: Purpose,
): readonly (readonly string[])[] {
  const known = chains.get(snapshot.view) ?? new Map<string, readonly (readonly string[])[]>()
  chains.set(snapshot.view, known)
  const place = `${purpose} ${object}`
  let found = known.get(place)
  if (found === undefined) known.set(place, (found = findChains(snapshot, object, purpose)))
  return found
}

function findChains(
  snapshot: RecordSnapshot,
  object: string,
  purpose: Purpose,
): readonly (readonly string[])[] {
  const programs = rowPrograms(snapshot.view, object)
  if (programs === null) return []
  const all = purpose === 'save' ? programsOfSave(snapshot, programs) : programsOfRead(programs)
  const byText = new Map<string, readonly string[]>()
  for (const program of all)
    for (const chain of program === null ? [] : referencesRead(snapshot, object, program))
      byText.set(chain.join('.'), chain)
  return [...byText.values()]
}

function programsOfSave(snapshot: RecordSnapshot, programs: ObjectPrograms): (FieldProgram | null)[] {
  return [
    ...programs.body.fields.flatMap((field) => [
      programs.default(field),
      field.formula?.stored === true ? programs.formula(field) : null,
    ]),
    ...programs.body.validationRules.map((rule) => programs.rule(rule)),
    ...programs.body.sharing.rules.map((rule) => programs.sharing(rule)),
    ...(['before_write', 'after_write'] as const).flatMap((phase) =>
      automationsOn(snapshot.view, programs.object, phase).flatMap((automation) => automation.programs),
    ),
    // Their actions read after the commit.
    ...automationsOn(snapshot.view, programs.object, 'post_commit').map(({ when }) => when),
  ]
}

function programsOfRead(programs: ObjectPrograms): (FieldProgram | null)[] {
  return [
    ...programs.body.fields.map((field) =>
      field.formula?.stored === false ? programs.formula(field) : null,
    ),
    ...programs.body.sharing.rules.map((rule) => programs.sharing(rule)),
  ]
}
