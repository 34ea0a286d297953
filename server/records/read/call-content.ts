// What a call in the outbox sends, as far as a user can see all that it comes from (docs/reference/callouts.md).
import {
  automationsOn,
  objectPrograms,
  type ActionProgram,
  type FieldProgram,
  type RecordSnapshot,
} from '#kernel/records/index.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { CallValueView } from '#wire/outbox.ts'
import type { RecordEffect } from '../../ports/record-change.ts'
import type { RecordReader, StoredRecord } from '../../ports/record-store.ts'
import type { RecordSnapshots } from '../deps.ts'
import { canReadAll } from './can-read-all.ts'
import type { RecordCaller } from './record-caller.ts'
import { visibleViews } from './record-json.ts'

const parts = [
  ['path', 'pathParams'],
  ['query', 'query'],
  ['argument', 'args'],
  ['body', 'payload'],
] as const

export async function callContent(
  caller: RecordCaller,
  snapshots: RecordSnapshots,
  reader: RecordReader,
  effect: RecordEffect,
): Promise<CallValueView[]> {
  const source = await sourceOf(caller, snapshots, reader, effect)
  const deferred = new Set(effect.deferred)
  const value = async (part: CallValueView['in'], name: string, at: readonly string[], stored: unknown) => {
    const program = source?.step.program(...at) ?? null
    if (source === null || program === null || !(await source.canRead(program)))
      return { in: part, name, state: 'hidden' as const, value: null, expression: null }
    const isSensitive = deferred.has(at.join('/'))
    return {
      ...{ in: part, name, state: isSensitive ? ('sensitive' as const) : ('shown' as const) },
      ...{ value: isSensitive ? null : stored, expression: program.program.source },
    }
  }
  const found: CallValueView[] = []
  for (const [part, place] of parts)
    for (const [name, stored] of Object.entries((effect.body[place] ?? {}) as Record<string, unknown>))
      found.push(await value(part, name, [place, name], stored))
  const key = effect.body['idempotencyKey']
  const hasKey = key != null || deferred.has('idempotencyKey')
  return hasKey ? [...found, await value('key', '', ['idempotencyKey'], key)] : found
}

interface ContentSource {
  step: ActionProgram
  canRead(program: FieldProgram): Promise<boolean>
}

/** Null if nothing can be shown: the user cannot see the record, or its generation was purged. */
async function sourceOf(
  caller: RecordCaller,
  snapshots: RecordSnapshots,
  reader: RecordReader,
  { record: place, generation, automation, action }: RecordEffect,
): Promise<ContentSource | null> {
  const snapshot = keptSnapshot(snapshots, generation)
  const [name = '', id = ''] = place.split('/')
  const objectId = snapshot?.names.objectId(name)
  if (snapshot === null || objectId === undefined) return null
  const step = (['after_write', 'post_commit'] as const)
    .flatMap((phase) => automationsOn(snapshot.view, name, phase))
    .find(({ key }) => key === automation)
    ?.actions.find((each) => each.action.key === action)
  const object = caller.present.names.objectKey(objectId)
  const programs = object === undefined ? null : objectPrograms(caller.present.view, object)
  if (step === undefined || object === undefined || programs === null) return null
  const record = await seenRecord(caller, reader, object, id)
  return record === null
    ? null
    : {
        step,
        // Parameters and results of callouts come from systems and users whose values nobody was granted.
        canRead: async (program) =>
          !program.readsInputs && canReadAll({ caller, reader, programs, record }, snapshot, program),
      }
}

async function seenRecord(
  caller: RecordCaller,
  reader: RecordReader,
  object: string,
  id: string,
): Promise<StoredRecord | null> {
  if (!caller.access.may(object, 'read')) return null
  const [record] = await reader.get(caller.present.names.objectId(object)!, [id])
  if (record === undefined) return null
  return (await visibleViews(caller, reader, object, [record])).size === 0 ? null : record
}

function keptSnapshot(snapshots: RecordSnapshots, generation: number): RecordSnapshot | null {
  try {
    snapshots.requireKept?.(generation)
    return snapshots.at(generation)
  } catch (error) {
    if (error instanceof AlmanacError) return null
    throw error
  }
}
