// A reviewed plan as a verb is given it: it is of one org and one change list, so it names both (completions 4).
import { existsSync } from 'node:fs'
import { UsageError } from './fail.ts'
import { fileText, jsonOf, text } from './options.ts'
import type { ShownPlan } from './org-api.ts'
import type { Call } from './verb.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const digest = /^[a-z0-9]+:sha256:[0-9a-f]{64}$/

type Named = Pick<ShownPlan, 'lineage' | 'changeDigest'>

export function planName({ lineage, changeDigest }: Named): string {
  return `${lineage}/${changeDigest}`
}

/** `--plan` as it was shown, or the file of an answer that has it; nothing where it is not given. @throws UsageError */
export function namedPlan(call: Call): Partial<Named> {
  const given = text(call, 'plan')
  if (given === undefined) return {}
  const [lineage = '', changeDigest = ''] = given.split('/')
  if (uuid.test(lineage) && digest.test(changeDigest)) return { lineage, changeDigest }
  const filed = existsSync(given) ? planIn(jsonOf(fileText(given), given)) : null
  if (filed !== null) return filed
  throw new UsageError(
    `--plan is <lineage>/<digest> as diff shows it, or a file that diff --json wrote; "${given}" is neither.`,
  )
}

/** Of `diff --json`, or of an answer of POST /metadata/v3/plan. */
function planIn(json: unknown): Named | null {
  const { plan = json } = (json ?? {}) as { plan?: unknown }
  const { lineage, changeDigest } = (plan ?? {}) as Record<string, unknown>
  return typeof lineage === 'string' && typeof changeDigest === 'string' ? { lineage, changeDigest } : null
}
