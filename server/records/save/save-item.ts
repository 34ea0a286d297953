// Saves one item of a request, and everything that follows from it.
import { objectPrograms, rowPrograms, type FieldId, type ObjectId } from '#kernel/records/index.ts'
import type { StoredRecord } from '../../ports/record-store.ts'
import { recordTable } from '../record-table.ts'
import type { PostCommitRun } from '../../ports/record-jobs.ts'
import type { AutomationRun, SaveCause } from './automation-run.ts'
import { runAction } from './effects.ts'
import { saveOrders, type SaveKind } from './order.ts'
import { leaveToJobs, runPostCommit, runUntilCallout, type NextCallout } from './post-commit.ts'
import { shownPlaces } from './authorise.ts'
import { callTooSlow, tooDeep, notStored, unknownObject } from './record-errors.ts'
import type { RelatedSave } from './related-saves.ts'
import { runPhase } from './run-phase.ts'
import type { ArchiveMarks, ErasedValues, Save, SaveContext, SaveItem, SentValues } from './save.ts'

/** How many saves can lead to each other. */
const maxDepth = 8

const orders = saveOrders(saveRelated, saveNext)

/** Returns the record as it was written; null if it was deleted. @throws AlmanacError of the first phase that fails */
export async function saveItem(context: SaveContext, item: SaveItem): Promise<StoredRecord | null> {
  const written = await saveAlong(context, item, [])
  await leaveToJobs(context)
  if (written === null) return null
  // Its own automations and roll-ups may have written it again.
  const latest = context.latest.get(written.id)
  return latest === undefined ? written : latest
}

/**
 * Runs an automation that an earlier save has left, up to its next callout. Returns the run as it waits for it; null at
 * its end.
 * @throws AlmanacError of the saves that follow, `record.invalid`, `record.automation_gone`
 */
export async function runLeftAutomation(
  context: SaveContext,
  left: { object: ObjectId; run: PostCommitRun; job: string },
): Promise<PostCommitRun | null> {
  const waiting = await runPostCommit({ context, ...left, saveOf: emptySave, saveNext })
  await leaveToJobs(context)
  return waiting
}

/** A save without anything, over which an automation runs later. */
export const emptySave = (context: SaveContext, name: string, id: string): Save =>
  saveOf(context, name, { id, isChecked: false })

/**
 * Runs the actions of an operation that was called, up to the next callout, and leaves what follows to jobs. Returns the
 * callout; null at the end.
 * @param done how many actions have run before
 * @throws AlmanacError of the saves that follow, `record.invalid`, `limit.save_deadline`
 */
export async function runForCall(run: AutomationRun, done = 0): Promise<NextCallout | null> {
  const next = await runUntilCallout(run, done, (step) => {
    if (run.context.isLate()) throw callTooSlow(run.automation.key)
    return runAction(run, step, saveNext)
  })
  await leaveToJobs(run.context)
  return next
}

async function saveAlong(
  context: SaveContext,
  item: SaveItem,
  chain: readonly string[],
): Promise<StoredRecord | null> {
  const { object, op } = item
  const save = saveOf(context, object, {
    chain,
    id: op === 'insert' ? context.newId() : item.id,
    sent: op === 'insert' || op === 'update' ? item.values : {},
    version: op === 'insert' ? null : item.version,
    recompute: op === 'recompute',
    keepsArchived: op === 'recompute' && item.keepsArchived === true,
    marks: op === 'archive' ? item.marks : new Map(),
    erased: op === 'erase' ? item.erased : null,
    dirty: op === 'fill' ? new Set(item.fields) : new Set(),
    isChecked: !['fill', 'follow', 'erase'].includes(op),
  })
  await run(save, op, op === 'update' && item.endsUnchanged === true)
  if (op === 'fill' && save.shape!.problems.length > 0) item.onProblems?.(save.shape!.problems)
  return save.after ?? (op === 'delete' ? null : save.before)
}

/** Saves a record that an automation creates or updates. */
async function saveNext({ context, chain }: SaveCause, item: SaveItem): Promise<StoredRecord | null> {
  requireDepth(context, chain, item.op === 'insert' ? item.object : `${item.object}/${item.id}`)
  return saveAlong(context, item, chain)
}

/** @throws AlmanacError `limit.save_depth` */
function requireDepth(context: SaveContext, chain: readonly string[], next: string): void {
  if (chain.length >= maxDepth) throw tooDeep(shownPlaces(context, [...chain, next]), maxDepth)
}

async function saveRelated(cause: Save, { object, id, dirty }: RelatedSave): Promise<void> {
  const chain = [...cause.chain, `${cause.object}/${cause.id}`]
  requireDepth(cause.context, chain, `${object}/${id}`)
  const erased = cause.erased === null ? null : new Map()
  await run(
    saveOf(cause.context, object, { id, dirty, childSave: cause, chain, erased, isChecked: false }),
    erased === null ? 'related' : 'erase',
  )
}

interface SaveParts {
  id: string
  sent?: SentValues
  version?: number | null
  recompute?: boolean
  keepsArchived?: boolean
  marks?: ArchiveMarks
  erased?: ErasedValues | null
  dirty?: ReadonlySet<FieldId>
  childSave?: Save | null
  chain?: readonly string[]
  isChecked?: boolean
}

/** @throws AlmanacError `object.not_found` */
function saveOf(
  context: SaveContext,
  name: string,
  {
    id,
    sent = {},
    version = null,
    recompute = false,
    keepsArchived = false,
    marks = new Map(),
    erased = null,
    dirty = new Set(),
    childSave = null,
    chain = [],
    isChecked = true,
  }: SaveParts,
): Save {
  const { view, names } = context.present
  const programs = objectPrograms(view, name)
  const objectId = names.objectId(name)
  const isVisible = (object: string): boolean => !isChecked || context.access.canSeeObject(object)
  if (isVisible(name) && rowPrograms(view, name)?.isVirtual === true) throw notStored(name)
  if (programs === null || objectId === undefined || !isVisible(name))
    throw unknownObject(name, [...view.keys('object')].filter(isVisible))
  return {
    context,
    number: (context.saves += 1),
    object: name,
    objectId,
    programs,
    ids: names.fieldIds(name),
    id,
    chain,
    isChecked,
    sent,
    version,
    recompute,
    keepsArchived,
    marks,
    erased,
    dirty,
    childSave,
    isGone: false,
    before: null,
    values: new Map(),
    missing: new Set(),
    shape: null,
    loaded: () => undefined,
    written: 0,
    after: null,
  }
}

async function run(save: Save, kind: SaveKind, endsEqual = false): Promise<void> {
  const { prepare, commit } = orders[kind]
  const endsUnchanged = endsEqual ? 'by_values' : orders[kind].endsUnchanged
  // A column that has grown shows its values as they are declared now, so that equal ones compare as equal.
  await save.context.tx.enter([recordTable(save.context.present, save.object)])
  const enter = async (phases: typeof prepare): Promise<void> => {
    for (const phase of phases) {
      if (save.isGone) return
      const running = runPhase(save, phase)
      if (running !== undefined) await running
    }
  }
  await enter(prepare)
  if (save.isGone) return
  if (endsUnchanged !== 'never' && !isChanged(save, endsUnchanged === 'by_bindings')) return
  await enter(commit)
}

/** Whether a save changes what is stored: a value, what a formula has read, or what a value is bound to. */
function isChanged({ before, shape, values }: Save, withBindings: boolean): boolean {
  if (shape!.problems.length > 0) return true
  const ids = new Set([...values.keys(), ...before!.values.keys()])
  for (const id of ids) if ((values.get(id) ?? null) !== (before!.values.get(id) ?? null)) return true
  if (differ(before!.inputs, shape!.inputs)) return true
  return withBindings && differ(before!.bindings, shape!.bindings)
}

function differ(before: ReadonlyMap<FieldId, object>, after: ReadonlyMap<FieldId, object>): boolean {
  const text = (part: object | undefined): string => JSON.stringify(part) ?? ''
  const ids = [...new Set([...before.keys(), ...after.keys()])]
  return ids.some((id) => text(before.get(id)) !== text(after.get(id)))
}
