// almanac import: a CSV file as dated entries: drafts for review, files with --out, one generation with --apply (completions 7).
import { basename } from 'node:path'
import { existsSync } from 'node:fs'
import type { ComponentId } from '#kernel/components/component.ts'
import type { CandidateComponent } from '#kernel/change/index.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { hasErrors, type Finding } from '#kernel/errors/finding.ts'
import { parseImportMap, type ImportMap } from '#kernel/import/index.ts'
import {
  decode,
  importCsv,
  lastImport,
  rememberImport,
  repairChanges,
  type ImportFacts,
  type ImportRecord,
} from '../../import/index.ts'
import { sayApplied } from '../applied-text.ts'
import { exitCodes, UsageError } from '../fail.ts'
import { repairsOf } from '../given-list.ts'
import type { LocalOrg } from '../local-org.ts'
import { fileBytes, fileText, flag, jsonOf, many, text } from '../options.ts'
import type { GivenList, ShownPlan } from '../org-api.ts'
import { factsText, sayImport } from '../import-text.ts'
import { keepDrafts, writeFiles } from '../keep-changes.ts'
import type { RemoteOrg } from '../remote-org.ts'
import type { Call, Run } from '../verb.ts'

interface Prepared {
  components: CandidateComponent[]
  removals: ComponentId[]
  /** Entries that a repair left out. */
  dropped: ComponentId[]
  findings: Finding[]
  record: ImportRecord
  facts: ImportFacts
}

export const run: Run = async (call) => {
  const { terminal } = call
  const [set = '', file = ''] = call.args
  const remote = await call.remoteOrg()
  if (remote !== null) return importOver(call, remote, set, file)
  const org = await call.localOrg()
  terminal.progress(`Reading ${file} …`)
  const prepared = prepare(call, org, set, file)
  const list: GivenList = {
    kind: 'components',
    components: prepared.components.map(({ component, hints }) => ({ ...component, ...hints })),
    removals: prepared.removals,
  }
  terminal.progress('Validating …')
  const plan = await org.plan(list)
  const findings = [...prepared.findings, ...plan.findings]
  if (flag(call, 'apply')) return applyNow(call, org, list, prepared)
  const kept = await keep(call, org, plan, prepared)
  sayImport(call, { facts: prepared.facts, changes: plan.changes, findings, ...kept })
  return hasErrors(prepared.findings) ? exitCodes.failed : exitCodes.done
}

/** The server keeps the drafts; its own org has the memory of the last import. */
async function importOver(call: Call, remote: RemoteOrg, set: string, file: string): Promise<number> {
  if (flag(call, 'again')) throw new UsageError('--again works on the folder of an org only.')
  const map = mapOf(call)
  const { text: csv } = decode(fileBytes(file), basename(file), map.encoding)
  const out = text(call, 'out')
  const answer = await remote.importTable({
    set,
    csv,
    map,
    dryRun: out !== undefined,
    options: { name: basename(file), repair: many(call, 'repair') },
  })
  const findings = answer.findings
  const bad = findings.filter(({ code }) => code.startsWith('import.'))
  if (out !== undefined) writeFiles(out, answer.changes)
  if (flag(call, 'apply') && !hasErrors(bad)) {
    const rationale = text(call, 'rationale')
    const list: GivenList = { kind: 'drafts', ids: answer.drafts ?? [] }
    sayApplied(
      await remote.apply(list, rationale === undefined ? {} : { rationale }),
      call.terminal,
      flag(call, 'all'),
    )
  } else {
    const kept = out === undefined ? { drafts: answer.drafts?.length ?? 0 } : { out }
    sayImport(call, { facts: answer.facts, changes: answer.changes, findings, ...kept })
  }
  return hasErrors(bad) ? exitCodes.failed : exitCodes.done
}

function prepare(call: Call, { org }: LocalOrg, set: string, file: string): Prepared {
  const map = mapOf(call)
  return org.store.read((reader) => {
    const last = flag(call, 'again') ? null : lastImport(reader, set)
    const { components, findings, record, facts } = importCsv(
      { set, bytes: fileBytes(file), name: basename(file), map, last },
      org.pin().view,
    )
    const choices = repairsOf(call).map((choice) => ({ ...choice, set }))
    if (choices.length === 0) return { components, removals: [], dropped: [], findings, record, facts }
    const repaired = repairChanges(reader, { components, removals: [] }, choices, org.clock.today())
    return { ...repaired, findings: [...findings, ...repaired.findings], record, facts }
  })
}

function mapOf(call: Call): ImportMap {
  const given = text(call, 'map')
  if (given === undefined) throw new UsageError('Say which column is what: --map <file or JSON>.')
  const source = given.trimStart().startsWith('{') && !existsSync(given) ? given : fileText(given)
  return parseImportMap(jsonOf(source, '--map'))
}

async function applyNow(call: Call, org: LocalOrg, list: GivenList, prepared: Prepared): Promise<number> {
  call.terminal.print(factsText(prepared.facts))
  if (hasErrors(prepared.findings))
    throw new AlmanacError('import.invalid', 'Rows of the file have errors; nothing was applied.', {
      details: prepared.findings,
    })
  const rationale = text(call, 'rationale')
  const applied = await org.apply(list, rationale === undefined ? {} : { rationale })
  await org.org.write((transactor) =>
    rememberImport(transactor, call.args[0]!, prepared.record, prepared.dropped),
  )
  sayApplied(
    { ...applied, findings: [...prepared.findings, ...applied.findings] },
    call.terminal,
    flag(call, 'all'),
  )
  return exitCodes.done
}

/** Where the changes were put, as a sentence and as a fact. */
async function keep(
  call: Call,
  org: LocalOrg,
  plan: ShownPlan,
  prepared: Prepared,
): Promise<{ drafts?: number; out?: string }> {
  const out = text(call, 'out')
  if (out !== undefined) {
    writeFiles(out, plan.changes)
    return { out }
  }
  await keepDrafts(org, plan.changes, (transactor) =>
    rememberImport(transactor, call.args[0]!, prepared.record, prepared.dropped),
  )
  return { drafts: plan.changes.length }
}
