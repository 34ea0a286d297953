// almanac generations: the history, newest first.
import { changeCountsText } from '../changes-text.ts'
import { integerOption } from '../options.ts'
import { tableText } from '../table.ts'
import type { Run } from '../command-definition.ts'

export const run: Run = async (call) => {
  const { terminal } = call
  const { active, generations } = await (await call.org()).generations(integerOption(call, 'limit') ?? 20)
  await terminal.data({ active, generations })
  const rows = generations.map(({ generation, kind, at, actor, counts, rationale }) => [
    generation === active ? terminal.paint.green(String(generation)) : String(generation),
    at.slice(0, 19).replace('T', ' '),
    actor,
    kind,
    changeCountsText(counts).replace(/\.$/, ''),
    rationale,
  ])
  terminal.print(() =>
    tableText(terminal, ['generation', 'at (UTC)', 'by', 'kind', 'changes', 'rationale'], rows),
  )
}
