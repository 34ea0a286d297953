// almanac audit: who changed what, newest first (completions 4).
import { text, whole } from '../options.ts'
import { tableText } from '../table.ts'
import type { Run } from '../verb.ts'

export const run: Run = async (call) => {
  const { terminal } = call
  const component = text(call, 'component')
  const rows = await (
    await call.org()
  ).audit({ limit: whole(call, 'limit') ?? 20, ...(component === undefined ? {} : { component }) })
  await terminal.data({ rows })
  const lines = Array.from(rows, ({ at, actor, operator, kind, component: what, generation, rationale }) => [
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
