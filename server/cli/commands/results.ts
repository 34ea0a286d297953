// almanac results: lists the stored results, newest first.
import { integerOption } from '../options.ts'
import { tableText } from '../table.ts'
import type { Run } from '../command-definition.ts'
import { plainValue } from './evaluate.ts'

export const run: Run = async (call) => {
  const { terminal } = call
  const results = await (await call.org()).results(integerOption(call, 'limit') ?? 20)
  await terminal.data({ results })
  const rows = results.map(({ id, label, value, binding, state, at }) => [
    id,
    label,
    plainValue(value),
    String(binding.generation),
    binding.asOf ?? '',
    state,
    at.slice(0, 10),
  ])
  terminal.print(() =>
    rows.length === 0
      ? 'No stored results.'
      : tableText(terminal, ['id', 'label', 'value', 'generation', 'as of', 'state', 'at'], rows),
  )
}
