// POST-COMMIT: automations that run after the commit of a save, in a transaction of their own, over the record as the save
// left it. The save writes a job for each, so that none is lost and none runs twice.
import type { AutomationAction } from '#kernel/components/automation/body.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import {
  automationsOn,
  isErased,
  type ActionProgram,
  type AutomationProgram,
  type FieldId,
  type ObjectId,
} from '#kernel/records/index.ts'
import type { FieldValue } from '#kernel/components/field-types.ts'
import type { PostCommitRun } from '../../ports/record-jobs.ts'
import type { RecordTransactor, StoredRecord } from '../../ports/record-store.ts'
import { changesOf } from '../read/changes-of.ts'
import { newJob } from '../jobs/new-job.ts'
import { runOver, type AutomationRun, type SaveNext } from './automation-run.ts'
import { callOf, effectOf } from './effect-row.ts'
import { runAction } from './effects.ts'
import { tooManyAutomations } from './record-errors.ts'
import { loadFor } from './related-records.ts'
import type { Save, SaveContext } from './save.ts'

/** How many automations after commits can lead to each other. */
const maxDepth = 8

/**
 * Writes a job for each automation that the saves of an item have left. Called at the end of the item.
 * @throws AlmanacError `limit.save_depth`
 */
export async function leaveToJobs(context: SaveContext): Promise<void> {
  const { tx, left, latest, found, present, now, depth } = context
  if (left.length > 0 && depth >= maxDepth)
    throw tooManyAutomations(
      left.map(({ key }) => key),
      maxDepth,
    )
  for (const { key, object, record } of left) {
    const stored = latest.get(record)
    // A record that the item has removed again triggers nothing.
    if (stored == null) continue
    const prior = found.get(record)?.version ?? 0
    const automation = { key, generation: present.generation, record, version: stored.version, prior, depth }
    const { actor, correlationId, scopePath } = context
    await tx.putJob(
      newJob(context.newId(), now, {
        ...{ kind: 'automation', object, total: 1, automation },
        ...{ createdBy: actor, correlationId, scopePath },
      }),
    )
  }
}

export interface PostCommitParts {
  /** Over the generation of the run. */
  context: SaveContext
  object: ObjectId
  run: PostCommitRun
  /** Of the run. */
  job: string
  saveOf(context: SaveContext, object: string, id: string): Save
  saveNext: SaveNext
}

/**
 * Runs actions up to the next callout, which is left to the outbox. Returns the run as it waits for it; null at its end.
 * @throws AlmanacError of the saves that follow, `record.invalid`; `record.automation_gone`
 */
export async function runPostCommit({
  context,
  object,
  run,
  job,
  saveOf,
  saveNext,
}: PostCommitParts): Promise<PostCommitRun | null> {
  const { present } = context
  const name = present.names.objectKey(object)
  const automation =
    name === undefined
      ? undefined
      : automationsOn(present.view, name, 'post_commit').find(({ key }) => key === run.key)
  const over =
    name === undefined || automation === undefined
      ? null
      : await runAt(context, { object, name, automation, run, saveOf })
  if (over === null)
    throw new AlmanacError(
      'record.automation_gone',
      `The automation ${run.key} cannot run, because the values of the record ${run.record} that it reads were removed.`,
    )
  const next = await runUntilCallout(over, run.done ?? 0, (step) => runAction(over, step, saveNext))
  if (next === null) return null
  const { step, action, at } = next
  const call = callOf(over, step, action, job)
  await context.tx.append(effectOf(over, step, action), call)
  return { ...run, done: at + 1, waitsFor: call.id }
}

export interface NextCallout {
  step: ActionProgram
  action: Extract<AutomationAction, { type: 'callout' }>
  /** Its place among the actions. */
  at: number
}

/**
 * Runs the actions of an automation up to the next callout; null at the end.
 * @param done how many actions have run before
 */
export async function runUntilCallout(
  { automation: { actions } }: AutomationRun,
  done: number,
  runOne: (step: ActionProgram) => Promise<void>,
): Promise<NextCallout | null> {
  for (let at = done; at < actions.length; at += 1) {
    const step = actions[at]!
    const { action } = step
    if (action.type === 'callout') return { step, action, at }
    await runOne(step)
  }
  return null
}

export interface RunAtParts extends Pick<PostCommitParts, 'object' | 'saveOf'> {
  /** Of the object, in the generation of the run. */
  name: string
  automation: AutomationProgram
  run: Pick<PostCommitRun, 'record' | 'version' | 'prior' | 'outcomes'>
}

/** The run of an automation over a record as a save left it; null if values of it were erased since. */
export async function runAt(
  context: SaveContext,
  { object, name, automation, run, saveOf }: RunAtParts,
): Promise<AutomationRun | null> {
  const { present, tx, found } = context
  const [values, prior] = await valuesAt(tx, { object, id: run.record }, [run.version, run.prior])
  if (values === null) return null
  const record = (version: number, of: ReadonlyMap<FieldId, FieldValue>): StoredRecord => ({
    ...{ id: run.record, object, version, values: of, bindings: new Map(), inputs: new Map() },
    ...{ createdAt: '', createdBy: '', changedAt: '', changedBy: '' },
  })
  found.set(run.record, prior === null ? null : record(run.prior, prior))
  const records = prior === null ? [values] : [values, prior]
  const save: Save = {
    ...saveOf(context, name, run.record),
    values: new Map(values),
    after: record(run.version, values),
    loaded: await loadFor(tx, { snapshot: present, object: name, records }, automation.programs),
  }
  return runOver(save, automation, run.outcomes)
}

/**
 * The values of a record at each of two versions, the later one first: what came after is undone with its history. Null
 * if the record did not exist, or if values were erased.
 */
async function valuesAt(
  tx: RecordTransactor,
  { object, id }: { object: ObjectId; id: string },
  versions: readonly [later: number, earlier: number],
): Promise<[Values | null, Values | null]> {
  const [record] = await tx.get(object, [id])
  const values = new Map(record?.values)
  const found: (Values | null)[] = []
  const keep = (exists: boolean): void => {
    found.push(exists && ![...values.values()].some(isErased) ? new Map(values) : null)
  }
  for await (const { version, operation, fields } of changesOf(tx, object, id)) {
    // A deletion has the version of the write before it, whose values are found once it is undone.
    if (operation !== 'delete' && version <= versions[found.length]!) keep(version === versions[found.length])
    if (found.length === versions.length) break
    for (const { field, before } of fields)
      if (before === null) values.delete(field)
      else values.set(field, before)
  }
  return [found[0] ?? null, found[1] ?? null]
}

type Values = ReadonlyMap<FieldId, FieldValue>
