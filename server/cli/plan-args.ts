// Reads a reviewed plan from --plan: its org, its base generation and its change list.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { UsageError } from './fail.ts'
import { existsSync } from 'node:fs'
import { readText } from '../files/index.ts'
import { parseJsonText, textOption } from './options.ts'
import type { ApplyOptions, PlanName } from './org-api.ts'
import type { Call } from './command-definition.ts'

const planPattern =
  /^(?<lineage>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\/(?<base>\d{1,10}))?\/(?<digest>[a-z0-9]+:sha256:[0-9a-f]{64})$/

type PlanTerms = Required<Pick<ApplyOptions, 'lineage' | 'planBase' | 'changeDigest'>>

/** `<lineage>/<base>/<digest>`. */
export function planName({ lineage, base, changeDigest }: PlanName): string {
  return `${lineage}/${base}/${changeDigest}`
}

/**
 * Reads `--plan`: the printed plan, or a file that contains it; empty if omitted.
 * @throws UsageError; AlmanacError conflict.stale_plan if it names no base
 */
export function planFromArgs(call: Call): Partial<PlanTerms> {
  const value = textOption(call, 'plan')
  if (value === undefined) return {}
  const plan =
    parsePlanName(value) ?? (existsSync(value) ? planFromJson(parseJsonText(readText(value), value)) : null)
  if (plan === null)
    throw new UsageError(
      `--plan must be <lineage>/<base>/<digest> as diff prints it, or a file that diff --json wrote, not "${value}".`,
    )
  const { lineage, base, changeDigest } = plan
  if (base === undefined)
    throw new AlmanacError(
      'conflict.stale_plan',
      'The plan does not name its base generation, so applying it could undo a later change. Run diff again and review the new plan.',
    )
  return { lineage, planBase: base, changeDigest }
}

type NamedPlan = Pick<PlanTerms, 'lineage' | 'changeDigest'> & { base: number | undefined }

function parsePlanName(given: string): NamedPlan | null {
  const { lineage, base, digest } = planPattern.exec(given)?.groups ?? {}
  if (lineage === undefined || digest === undefined) return null
  return { lineage, base: base === undefined ? undefined : Number(base), changeDigest: digest }
}

/** The output of `diff --json`, or the response of POST /metadata/v3/plan. */
function planFromJson(json: unknown): NamedPlan | null {
  const { plan = json } = (json ?? {}) as { plan?: unknown }
  const { lineage, base, changeDigest } = (plan ?? {}) as Record<string, unknown>
  if (typeof lineage !== 'string' || typeof changeDigest !== 'string') return null
  return { lineage, base: Number.isSafeInteger(base) ? (base as number) : undefined, changeDigest }
}
