// Previews an import, checked as a change list but not stored.
import { parseCivilDate } from '#kernel/dates/civil-date.ts'
import { hasErrors, type Finding } from '#kernel/errors/finding.ts'
import { parseImportMap } from '#kernel/import/index.ts'
import { viewerFor, effectiveAccess } from '../access/index.ts'
import { narrowView, type JobRunner, type PipelineDeps, type PlanOutcome } from '../pipeline/index.ts'
import type { ImportFacts } from '#wire/tables.ts'
import { createImportChangeList } from './import-change-list.ts'
import { readTable } from './read-table.ts'

export interface PreviewRequest {
  set: string
  bytes: Uint8Array
  /** Name of the file, for messages. */
  name: string
  map: unknown
  repair: readonly string[]
  again: boolean
  actor: string
  /** Maximum number of changes and findings in the result. */
  maxItems: number
}

export interface ImportPreview {
  facts: ImportFacts
  /** Entries of the file that equal the existing ones. */
  unchanged: number
  /** Findings in the file, with line and column, errors first; then those of the changes. */
  findings: Finding[]
  findingsTotal: number
  /** Whether rows of the file have errors. */
  rowsRefused: boolean
  plan: PlanOutcome
}

/** @throws AlmanacError import.invalid, request.invalid, access.denied */
export async function previewImport(
  deps: Pick<PipelineDeps, 'store' | 'clock'>,
  jobs: Pick<JobRunner, 'plan'>,
  request: PreviewRequest,
): Promise<ImportPreview> {
  const { set, bytes, name, repair, again, actor, maxItems } = request
  const map = parseImportMap(request.map)
  const table = await readTable(bytes, name, map)
  const today = parseCivilDate(deps.clock.today())!
  const list = deps.store.read((reader) => {
    const generation = reader.generations.active()
    const view = reader.generations.view(generation)
    const access = effectiveAccess(reader, actor, view)
    const viewer = viewerFor(access, { generation, view })
    const importRequest = { set, table, map, repair, again }
    return createImportChangeList(reader, importRequest, narrowView(view, viewer), { today, viewer, access })
  })
  const components = list.components.map(({ component, hints }) => ({ ...component, ...hints }))
  const source = { kind: 'components', components, removals: list.removals } as const
  const plan = await jobs.plan({ source, actor, most: maxItems })
  const { added, changed } = plan.counts
  const findings = [...list.findings, ...plan.findings]
  const bySeverity = findings.length > maxItems ? errorsFirst(findings).slice(0, maxItems) : findings
  return {
    facts: list.facts,
    unchanged: Math.max(0, components.length - added - changed),
    findings: bySeverity,
    findingsTotal: list.findings.length + plan.findingsTotal,
    rowsRefused: hasErrors(list.findings),
    plan,
  }
}

function errorsFirst(findings: readonly Finding[]): Finding[] {
  const error = ({ severity }: Finding): boolean => severity === 'error'
  return [...findings.filter(error), ...findings.filter((each) => !error(each))]
}
