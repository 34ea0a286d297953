// Makes the entries of the sample's VAT rates from the messy table next to it, with the repairs listed here.
// Run it after a change to the table or its map: node resources/make-sample.ts
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  buildCandidate,
  parseRepairChoice,
  repairFindings,
  validateCandidate,
  applyRepairs,
  type CandidateComponent,
} from '#kernel/change/index.ts'
import { MemoryView } from '#kernel/components/memory-view.ts'
import { parseCivilDate } from '#kernel/dates/civil-date.ts'
import { parseImportMap } from '#kernel/import/index.ts'
import { importTable } from '../server/import/import-table.ts'
import { readText } from '../server/import/read-table.ts'
import { fileText, pathOf, readDirectory } from '../server/pipeline/index.ts'

const folder = fileURLToPath(new URL('sample-org/', import.meta.url))

/** The table has days between two rates that belong to neither, and special rates that end; the source has no more. */
const repairs = [
  'config.range_gap=extend_earlier',
  // A special rate that ended was replaced by the rate of the mainland, which is 24 % since that day.
  'config.range_end=set_value:rate=0.24,currency=EUR',
]

/** Returns the path and text of every entry of vat_rate at org. */
export function sampleEntries(): Map<string, string> {
  const { components } = readDirectory(join(folder, 'components'))
  const others = components.filter(({ component }) => !isGenerated(component))
  const map = parseImportMap(
    JSON.parse(readFileSync(join(folder, 'import', 'vat-messy.map.json'), 'utf8')) as unknown,
  )
  const table = readText(readFileSync(join(folder, 'import', 'vat-messy.csv')), 'vat-messy.csv', map)
  const imported = importTable(
    { set: 'vat_rate', table, map, history: { rows: {}, generation: 0, definition: null, draftOf: () => undefined, wasRemoved: () => false }, again: false },
    new MemoryView(others.map(({ component }) => component)),
  )
  const made = repairEntries(others, imported.components)
  return new Map(made.map(({ component }) => [pathOf(component.type, component.key), fileText(component)]))
}

function repairEntries(others: CandidateComponent[], entries: CandidateComponent[]): CandidateComponent[] {
  const candidate = buildCandidate(null, { components: [...others, ...entries] })
  const everybody = { user: () => 'live' as const, group: () => 'live' as const, userKeys: () => [], groupKeys: () => [] }
  const { findings } = validateCandidate(candidate, null, { today: parseCivilDate('2026-01-01')!, principals: everybody })
  const result = repairFindings(findings, repairs.map(parseRepairChoice), candidate.view)
  return applyRepairs(entries, result) as CandidateComponent[]
}

/** Whether this script makes it; the entry for the test environment is written by hand. */
function isGenerated(component: CandidateComponent['component']): boolean {
  return component.type === 'config_entry' && component.body.set === 'vat_rate' && component.body.scope.kind === 'org'
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const { component } of readDirectory(join(folder, 'components')).components)
    if (isGenerated(component)) rmSync(join(folder, 'components', pathOf(component.type, component.key)))
  for (const [path, text] of sampleEntries()) {
    mkdirSync(dirname(join(folder, 'components', path)), { recursive: true })
    writeFileSync(join(folder, 'components', path), text)
  }
}
