// almanac import: imports a CSV file or a spreadsheet as dated entries: drafts for review, files with --out, or one
// generation with --apply.
import { basename } from 'node:path'
import { existsSync } from 'node:fs'
import type { Component } from '#kernel/components/body-types.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { hasErrors } from '#kernel/errors/finding.ts'
import { parseImportMap, type ImportMap } from '#kernel/import/index.ts'
import {
  createImportChangeList,
  inspectFile,
  readTable,
  importCompanion,
  type ImportChangeList,
  type ReadOptions,
} from '../../import/index.ts'
import { narrowView } from '../../pipeline/index.ts'
import type { CompanionWrite } from '../../ports/companion-writes.ts'
import { printApplyResult } from '../apply-text.ts'
import { countsOf } from '../changes-text.ts'
import { exitCodes, UsageError } from '../fail.ts'
import { readBytes, readText } from '../../files/index.ts'
import type { LocalOrg } from '../local-org.ts'
import { hasFlag, parseJsonText, listOption, textOption } from '../options.ts'
import type { ChangeListInput, PlannedList } from '../org-api.ts'
import { factsText, inspectionText, printImport } from '../import-text.ts'
import { saveDrafts, writeComponentFiles } from '../save-changes.ts'
import type { RemoteOrg } from '../remote-org.ts'
import type { Call, Run } from '../command-definition.ts'

export const run: Run = async (call) => {
  const { terminal } = call
  const [set = '', file = ''] = call.args
  const remote = await call.remoteOrg()
  if (hasFlag(call, 'inspect')) return inspect(call, set, file)
  if (remote !== null) return importRemotely(call, remote, set, file)
  const org = await call.localOrg()
  org.requireAuthor()
  terminal.progress(`Reading ${file} …`)
  const prepared = await prepare(call, org, set, file)
  const list: ChangeListInput = {
    kind: 'components',
    components: prepared.components.map(({ component, hints }) => ({ ...component, ...hints })),
    removals: prepared.removals,
  }
  terminal.progress('Validating …')
  const plan = await org.plan(list)
  const findings = [...prepared.findings, ...plan.findings]
  if (hasFlag(call, 'apply')) return applyNow(call, org, list, prepared)
  const saveResult = await saveChanges(call, org, plan, prepared)
  await printImport(call, {
    facts: prepared.facts,
    changes: plan.changes,
    counts: plan.plan.counts,
    findings,
    ...saveResult,
  })
  return hasErrors(prepared.findings) ? exitCodes.failed : exitCodes.done
}

/** The server keeps the drafts, because its org remembers the last import. */
async function importRemotely(call: Call, remote: RemoteOrg, set: string, file: string): Promise<number> {
  const map = mapOf(call)
  const out = textOption(call, 'out')
  const answer = await remote.importTable({
    set,
    bytes: readBytes(file).toString('base64'),
    map,
    dryRun: out !== undefined,
    options: { name: basename(file), repair: listOption(call, 'repair'), again: hasFlag(call, 'again') },
  })
  const findings = answer.findings
  const bad = findings.filter(({ code }) => code.startsWith('import.'))
  if (out !== undefined) writeComponentFiles(out, answer.changes)
  if (hasFlag(call, 'apply') && !hasErrors(bad)) {
    const rationale = textOption(call, 'rationale')
    const list: ChangeListInput = { kind: 'drafts', ids: answer.drafts ?? [] }
    await printApplyResult(
      await remote.apply(list, rationale === undefined ? {} : { rationale }),
      call.terminal,
      hasFlag(call, 'all'),
    )
  } else {
    const saveResult = out === undefined ? { drafts: answer.drafts?.length ?? 0 } : { out }
    await printImport(call, {
      facts: answer.facts,
      changes: answer.changes,
      counts: countsOf(answer.changes),
      findings,
      ...saveResult,
    })
  }
  return hasErrors(bad) ? exitCodes.failed : exitCodes.done
}

async function prepare(call: Call, local: LocalOrg, set: string, file: string): Promise<ImportChangeList> {
  const { org, viewer } = local
  const map = mapOf(call)
  const table = await readTable(readBytes(file), basename(file), map)
  const importRequest = { set, table, map, repair: listOption(call, 'repair'), again: hasFlag(call, 'again') }
  return org.store.read((reader) =>
    createImportChangeList(reader, importRequest, narrowView(org.pin().view, viewer), {
      today: org.clock.today(),
      viewer,
      access: viewer === null ? null : local.access(),
    }),
  )
}

/** Shows the content of the file and a suggested map; imports nothing. A given map decides how the file is read. */
async function inspect(call: Call, set: string, file: string): Promise<void> {
  const org = await call.org()
  const [definition] = (await org.components('config_set', set, undefined)) as Component[]
  const owner = definition?.type === 'config_set' ? definition : null
  const inspection = await inspectFile(readBytes(file), basename(file), readingOf(call), owner)
  await call.terminal.data(inspection)
  call.terminal.print(() => inspectionText(inspection))
}

function mapOf(call: Call): ImportMap {
  if (textOption(call, 'map') === undefined)
    throw new UsageError('Map the columns with --map <file or JSON>. --inspect prints a suggested map.')
  return parseImportMap(mapJson(call))
}

/** How to read the file, as far as the map defines it; a header row that it does not name is detected. */
function readingOf(call: Call): ReadOptions {
  if (textOption(call, 'map') === undefined) return {}
  const json = mapJson(call)
  const map = parseImportMap(json)
  const named = typeof json === 'object' && json !== null && 'header' in json
  return {
    encoding: map.encoding,
    delimiter: map.delimiter,
    sheet: map.sheet,
    header: named ? map.header : undefined,
  }
}

function mapJson(call: Call): unknown {
  const given = textOption(call, 'map')!
  const source = given.trimStart().startsWith('{') && !existsSync(given) ? given : readText(given)
  return parseJsonText(source, '--map')
}

async function applyNow(
  call: Call,
  org: LocalOrg,
  list: ChangeListInput,
  prepared: ImportChangeList,
): Promise<number> {
  call.terminal.print(factsText(prepared.facts))
  if (hasErrors(prepared.findings))
    throw new AlmanacError('import.invalid', 'Some rows of the file have errors. Nothing was applied.', {
      details: prepared.findings,
    })
  const rationale = textOption(call, 'rationale')
  // In the same transaction, because a kill between the two would make the same file change something again.
  const applied = await org.apply(
    list,
    rationale === undefined ? {} : { rationale },
    companionOf(call, org, prepared),
  )
  await printApplyResult(
    { ...applied, findings: [...prepared.findings, ...applied.findings] },
    call.terminal,
    hasFlag(call, 'all'),
  )
  return exitCodes.done
}

/** Where the changes are, as text and as JSON. */
async function saveChanges(
  call: Call,
  org: LocalOrg,
  plan: PlannedList,
  prepared: ImportChangeList,
): Promise<{ drafts?: number; out?: string }> {
  const out = textOption(call, 'out')
  if (out !== undefined) {
    writeComponentFiles(out, plan.changes)
    return { out }
  }
  await saveDrafts(org, plan.changes, prepared.existingDrafts, companionOf(call, org, prepared))
  return { drafts: plan.changes.length }
}

/** What the next import of the file compares with; written with the changes. */
function companionOf(
  call: Call,
  { viewer, actor }: LocalOrg,
  { record, dropped }: ImportChangeList,
): CompanionWrite {
  return importCompanion({ set: call.args[0]!, record, dropped, user: viewer === null ? null : actor })
}
