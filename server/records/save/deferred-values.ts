// Evaluates what a save left to the time of the call, because it reads sensitive values: over the record as that save left it.
import { automationsOn, type AutomationProgram } from '#kernel/records/index.ts'
import { valueToJson } from '#kernel/expr/index.ts'
import type { OutboxRow } from '../../ports/outbox.ts'
import type { RecordTransactor } from '../../ports/record-store.ts'
import type { CommandDeps } from '../commands/save-command.ts'
import { saveContexts } from '../saves.ts'
import { runAt } from './post-commit.ts'
import { evaluate } from './run-automation.ts'
import { emptySave } from './save-item.ts'
import type { SaveContext } from './save.ts'

/** Path of an expression in the action, such as `payload/email` → its value as JSON. */
export type DeferredValues = Readonly<Record<string, unknown>>

/**
 * Null if the values that it reads were erased or removed since.
 * @throws AlmanacError `record.invalid` if an expression cannot be evaluated
 */
export async function deferredValues(
  deps: CommandDeps,
  tx: RecordTransactor,
  { effect, correlationId, scopePath, prior, job }: OutboxRow,
): Promise<DeferredValues | null> {
  const { deferred, generation, actor, record: place, version } = effect
  if (deferred.length === 0) return {}
  const access = deps.accessOf(actor, generation, scopePath)
  const request = { generation, actor, access, correlationId, scopePath, keepsErrors: true }
  const context = saveContexts(deps, tx, request)()
  const [name = '', record = ''] = place.split('/')
  const object = context.present.names.objectId(name)
  const automation = automationOf(context, name, effect.automation)
  const step = automation?.actions.find(({ action }) => action.key === effect.action)
  if (object === undefined || automation === undefined || step === undefined) return null
  const outcomes = job === null ? undefined : (await tx.job(job))?.automation?.outcomes
  const run = { record, version, prior, ...(outcomes === undefined ? {} : { outcomes }) }
  const over = await runAt(context, { object, name, automation, run, saveOf: emptySave })
  if (over === null) return null
  return Object.fromEntries(
    deferred.map((path) => [path, valueToJson(evaluate(over, step.program(...splitPath(path))!))]),
  )
}

function automationOf({ present }: SaveContext, object: string, key: string): AutomationProgram | undefined {
  return (['after_write', 'post_commit'] as const)
    .flatMap((phase) => automationsOn(present.view, object, phase))
    .find((each) => each.key === key)
}

/** The name of a payload can be a JSON pointer. */
function splitPath(path: string): string[] {
  const at = path.indexOf('/')
  return at === -1 ? [path] : [path.slice(0, at), path.slice(at + 1)]
}
