// Jobs over the records of an object: created by users with the right to run them, and by deploys that add stored fields.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { AuditFact } from '../../access/index.ts'
import type { ScopePath } from '#kernel/components/scopes.ts'
import type { FieldId } from '#kernel/records/index.ts'
import type { RecordJob, RecordJobKind } from '../../ports/record-jobs.ts'
import { always } from '../../ports/record-query.ts'
import type { RecordTransactor } from '../../ports/record-store.ts'
import type { RecordTable } from '../../ports/record-table.ts'
import { filterCondition } from '../query/conditions.ts'
import { requireStored, visibleObject, type RecordCaller } from '../read/record-caller.ts'
import type { CommandDeps } from '../commands/save-command.ts'
import { newJob } from './new-job.ts'
import { accessDenied } from '../save/record-errors.ts'
import { recordTable } from '../record-table.ts'
import { returnedFields, type ReturnedFieldDeps } from './returned-fields.ts'

export interface JobCommand {
  kind: Exclude<RecordJobKind, 'fill' | 'follow' | 'automation' | 'erase' | 'operation'>
  /** Key or alias. */
  object: string
  filter?: string | undefined
  /**
   * Only records with a value that is bound to a generation before this one; for a rebind and an archive, the active one if
   * omitted.
   */
  boundBefore?: number | undefined
  /** Whether a recompute or a rebind leaves archived values as they are. */
  keepArchived?: boolean | undefined
  user: string
  correlationId: string
  scopePath: ScopePath
  /** The generation that was active when the request arrived. */
  generation: number
}

/** @throws AlmanacError `object.not_found`, `access.denied`, `expression.invalid` */
export async function createJob(
  deps: CommandDeps,
  tx: RecordTransactor,
  command: JobCommand,
): Promise<RecordJob> {
  const { kind, filter, user, correlationId, scopePath, generation } = command
  const isOfBound = kind === 'rebind' || kind === 'archive'
  const boundBefore = command.boundBefore ?? (isOfBound ? generation : null)
  const present = deps.snapshots.at(generation)
  const caller = { present, scopePath, access: deps.accessOf(user, generation, scopePath) }
  const object = checkJob(caller, command)
  const id = present.names.objectId(object)!
  const job = newJob(deps.ids.uuid(), deps.clock.now(), {
    ...{ kind, object: id, filter: filter ?? null, boundBefore },
    keepsArchived: command.keepArchived ?? false,
    ...{ createdBy: user, correlationId, scopePath },
  })
  await tx.putJob(job)
  return job
}

/**
 * Returns the key of the object.
 * @throws AlmanacError `request.invalid`, `object.not_found`, `access.denied`, `expression.invalid`
 */
export function checkJob(
  caller: RecordCaller,
  {
    kind,
    object: name,
    filter,
    keepArchived,
  }: Pick<JobCommand, 'kind' | 'object' | 'filter' | 'keepArchived'>,
): string {
  if (keepArchived === true && kind !== 'recompute' && kind !== 'rebind')
    throw new AlmanacError(
      'request.invalid',
      `"keepArchived" is for a recompute or a rebind. The kind ${kind} leaves archived values as they are.`,
    )
  const { object } = requireStored(visibleObject(caller, name))
  const rights = kind === 'replay' ? (['read'] as const) : (['read', 'update'] as const)
  for (const right of rights)
    if (!caller.access.may(object, right)) throw accessDenied(caller.access.user, right, object)
  filterCondition(caller, object, filter)
  return object
}

/** A rebind or an archive for the audit, without its filter, which can contain what is erased later. */
export function jobFact(
  object: string,
  {
    kind,
    boundBefore,
    generation,
    filter,
  }: Pick<JobCommand, 'kind' | 'boundBefore' | 'generation' | 'filter'>,
): AuditFact {
  const after = { boundBefore: boundBefore ?? generation, filtered: filter !== undefined }
  const audited = kind === 'archive' ? 'records.archived' : 'records.rebound'
  return { component: `object/${object}`, kind: audited, before: null, after }
}

export interface FillCommand {
  /** The active generation. */
  generation: number
  /** The user who deployed it. */
  user: string
}

/**
 * Creates a job for each object whose stored fields have to be filled, whose references have to be checked, or whose words
 * have to be indexed. Returns whether any job is open.
 */
export async function createFills(
  deps: CommandDeps & ReturnedFieldDeps,
  tx: RecordTransactor,
  { generation, user }: FillCommand,
): Promise<boolean> {
  const present = deps.snapshots.at(generation)
  const openJobs = await tx.openJobs()
  const fills = new Map(openJobs.flatMap((job) => (job.kind === 'fill' ? [[job.object, job]] : [])))
  let isCreated = false
  // A file of an earlier version does not know it.
  const from = (await tx.filledUpTo()) ?? generation - 1
  for (const { key, body } of present.view.list('object')) {
    const object = present.names.objectId(key)
    if (body.storage !== 'local' || object === undefined) continue
    const total = await tx.count(object)
    if (total === 0) continue
    const table = recordTable(present, key)
    await tx.enter([table])
    const returned = returnedFields(deps, object, { from, to: generation })
    if (returned.computed.size > 0) await tx.markUnfilled(object, [...returned.computed])
    const references = await withValues(tx, table, returned.references)
    const open = fills.get(object)
    if (open !== undefined) {
      if (references.size === 0 && !open.fields.some((field) => returned.computed.has(field))) continue
      // What it has computed so far is out of date.
      await tx.putJob({ ...open, state: 'aborted', finishedAt: deps.clock.now() })
      for (const { id, bound } of table.columns) if (!bound && open.fields.includes(id)) references.add(id)
    }
    const fields = [...(await tx.unfilled(table)), ...references]
    const searched = await tx.unindexed(table)
    if (fields.length === 0 && searched.length === 0) continue
    await tx.putJob(
      newJob(deps.ids.uuid(), deps.clock.now(), {
        ...{ kind: 'fill', object, fields, searched, filledFor: generation, total },
        ...{ createdBy: user, correlationId: deps.ids.uuid(), scopePath: {} },
      }),
    )
    isCreated = true
  }
  if (generation > from) await tx.noteFilled(generation)
  return isCreated || openJobs.length > 0
}

/** The fields of which a record has a value. A new field has none. */
async function withValues(
  tx: RecordTransactor,
  { id: object, columns }: RecordTable,
  fields: ReadonlySet<FieldId>,
): Promise<Set<FieldId>> {
  const found = new Set<FieldId>()
  for (const { id } of columns) {
    if (!fields.has(id)) continue
    const where = { op: 'present', field: { via: [], field: id } } as const
    const query = { object, anyOf: [always], where, orderBy: [], after: null, limit: 1 }
    if ((await tx.query(query)).hits.length > 0) found.add(id)
  }
  return found
}
