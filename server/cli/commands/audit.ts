// almanac audit: lists who changed what, newest first, with filters; as a table or a file.
import { auditFormats, auditText, type AuditSearch } from '../../pipeline/index.ts'
import type { AuditRow } from '#wire/index.ts'
import { choiceOption, textOption, integerOption } from '../options.ts'
import { tableText } from '../table.ts'
import type { Call, Run } from '../command-definition.ts'

const defaultRows = 20

export const run: Run = async (call) => {
  const { terminal } = call
  const format = choiceOption(call, 'format', auditFormats)
  const limit = integerOption(call, 'limit') ?? (format === undefined ? defaultRows : Infinity)
  const auditRows = await (await call.org()).audit(searchOf(call), limit)
  if (format !== undefined) {
    for await (const piece of auditText(auditRows, format)) terminal.raw(piece)
    return
  }
  const rows: AuditRow[] = []
  for await (const row of auditRows) rows.push(row)
  await terminal.data({ rows })
  const lines = rows.map(({ at, actor, operator, kind, component: what, generation, rationale }) => [
    at.slice(0, 19).replace('T', ' '),
    operator === undefined ? actor : `${actor} (${operator})`,
    kind,
    what,
    generation === null ? '' : String(generation),
    rationale,
  ])
  terminal.print(() =>
    tableText(terminal, ['at (UTC)', 'by', 'kind', 'component', 'generation', 'rationale'], lines),
  )
}

function searchOf(call: Call): AuditSearch {
  return {
    search: textOption(call, 'search'),
    actor: textOption(call, 'actor'),
    kind: textOption(call, 'kind'),
    component: textOption(call, 'component'),
    since: textOption(call, 'since'),
    until: textOption(call, 'until'),
  }
}
