// Restores older content: shows the changes with --dry-run, applies them otherwise.
import type { ComponentId } from '#kernel/components/component.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { hasErrors } from '#kernel/errors/finding.ts'
import { printApplyResult } from './apply-text.ts'
import { changeCountsText, changesText } from './changes-text.ts'
import { exitCodes } from './fail.ts'
import { findingsText } from './findings-text.ts'
import { planFromArgs, planName } from './plan-args.ts'
import { hasFlag, listOption, textOption } from './options.ts'
import type { RestoreInput } from './org-api.ts'
import type { Call } from './command-definition.ts'

export function rollbackList(call: Call, generation: number): RestoreInput {
  return { kind: 'generation', generation, ...confirmedLosses(call) }
}

export function revertList(call: Call, generation: number): RestoreInput {
  const [components, without] = ['component', 'without'].map(
    (option) => listOption(call, option) as ComponentId[],
  ) as [ComponentId[], ComponentId[]]
  return {
    kind: 'revert',
    generation,
    ...(components.length === 0 ? {} : { components }),
    ...(without.length === 0 ? {} : { without }),
    ...confirmedLosses(call),
  }
}

function confirmedLosses(call: Call): Pick<RestoreInput, 'breaking'> {
  const breaking = listOption(call, 'breaking') as ComponentId[]
  return breaking.length === 0 ? {} : { breaking }
}

/** @throws AlmanacError conflict.stale_generation, naming the option that keeps a component as it is */
export async function restore(call: Call, list: RestoreInput): Promise<number> {
  try {
    return await reviewOrApply(call, list)
  } catch (error) {
    const isConflict = error instanceof AlmanacError && error.code === 'conflict.stale_generation'
    if (!isConflict || list.kind !== 'revert') throw error
    const { code, message, details, origin, cause } = error
    throw new AlmanacError(code, `${message} Use --without <type/key> to keep one as it is.`, {
      details,
      ...(origin === undefined ? {} : { origin }),
      cause,
    })
  }
}

async function reviewOrApply(call: Call, list: RestoreInput): Promise<number> {
  const plan = planFromArgs(call)
  const rationale = textOption(call, 'rationale')
  if (hasFlag(call, 'dryRun')) return review(call, list, rationale)
  const terms = { ...plan, ...(rationale === undefined ? {} : { rationale }) }
  call.terminal.progress('Validating and applying …')
  await printApplyResult(await (await call.org()).apply(list, terms), call.terminal, hasFlag(call, 'all'))
  return exitCodes.done
}

/** Shows what it would do: the changes in words, the findings, and the plan that an apply can name. */
async function review(call: Call, list: RestoreInput, rationale: string | undefined): Promise<number> {
  const { terminal } = call
  const { plan, changes, findings, findingsTotal, denials, budget } = await (
    await call.org()
  ).plan(list, rationale)
  const { lineage, base, changeDigest, counts } = plan
  await terminal.data({
    changes,
    findings,
    findingsTotal,
    denials,
    budget,
    plan: { lineage, base, changeDigest },
  })
  if (findings.length > 0) terminal.print(() => findingsText(findings, terminal, findingsTotal))
  terminal.print(() => changesText(changes, terminal, hasFlag(call, 'all')))
  if (changes.length > 0) {
    terminal.print(changeCountsText(counts))
    terminal.print(terminal.paint.dim(`Plan ${planName(plan)}`))
  }
  for (const { message } of denials) terminal.print(terminal.paint.red(message))
  if (hasErrors(findings) || denials.length > 0) return exitCodes.failed
  return changes.length === 0 ? exitCodes.done : exitCodes.differs
}
