// Findings of the org as it stands with its drafts, kept until either moves (HTTP surface: problems).
import type { Finding } from '#kernel/errors/finding.ts'
import { parseCivilDate } from '#kernel/dates/civil-date.ts'
import { validateView } from '#kernel/change/index.ts'
import { directoryOf } from '../../access/index.ts'
import type { Org } from '../../pipeline/index.ts'

export interface Problems {
  /** Findings of the drafts over the active generation, then those of the active generation itself. */
  all(actor: string): Promise<Finding[]>
  /** How many findings each component has. */
  counts(actor: string): Promise<ReadonlyMap<string, number>>
}

/** Above this many entries the active generation is not judged again: it would hold readers up, and every apply has. */
const mostEntries = 2000

export function createProblems(org: Org): Problems {
  let known: { at: string; findings: Promise<Finding[]> } | null = null
  const all = (actor: string): Promise<Finding[]> => {
    const at = stateOf(org)
    if (known?.at !== at) known = { at, findings: found(org, actor) }
    const { findings } = known
    // A failure is not kept: the next reader tries again.
    findings.catch(() => (known = null))
    return findings
  }
  return {
    all,
    counts: async (actor) => {
      const counts = new Map<string, number>()
      for (const { component } of await all(actor)) counts.set(component, (counts.get(component) ?? 0) + 1)
      return counts
    },
  }
}

/** One text for everything that findings depend on. */
function stateOf({ store, clock, ...org }: Org): string {
  const drafts = store.read((reader) => reader.drafts())
  const versions = drafts.map(({ id, version, updatedAt }) => `${id}@${version}@${updatedAt}`)
  return [org.activeGeneration(), clock.today(), ...versions].join('\n')
}

async function found(org: Org, actor: string): Promise<Finding[]> {
  const hasDrafts = org.store.read((reader) => reader.drafts().length > 0)
  const drafts = hasDrafts ? (await org.plan({ source: { kind: 'drafts' }, actor })).findings : []
  const drafted = new Set(drafts.map(({ component, code }) => `${component} ${code}`))
  return [...drafts, ...ofActive(org).filter(({ component, code }) => !drafted.has(`${component} ${code}`))]
}

function ofActive(org: Org): Finding[] {
  const { view } = org.pin()
  if (view.count('config_entry') > mostEntries) return []
  return org.store.read(
    (reader) =>
      validateView(view, { today: parseCivilDate(org.clock.today())!, principals: directoryOf(reader) })
        .findings,
  )
}
