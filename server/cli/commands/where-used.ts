// almanac where-used: lists everything that refers to a component.
import type { ComponentId } from '#kernel/components/component.ts'
import { textOption } from '../options.ts'
import { tableText } from '../table.ts'
import { countText } from '../terminal.ts'
import type { Run } from '../command-definition.ts'

export const run: Run = async (call) => {
  const { args, terminal } = call
  const [id = ''] = args
  const { usages, entries } = await (
    await call.org()
  ).whereUsed(id as ComponentId, textOption(call, 'member'))
  await terminal.data({ component: id, usages, entries })
  const ofValues = id.startsWith('value_set/')
  const rows = usages.map(({ from, path, member, label }) => [from, label, path, member ?? ''])
  terminal.print(() =>
    rows.length === 0
      ? `Nothing refers to ${id}.`
      : tableText(terminal, ['used by', 'label', 'place', ofValues ? 'value' : 'field'], rows),
  )
  if (entries > 0)
    terminal.print(
      ofValues
        ? `${countText(entries, 'entry holds', 'entries hold')} one of its values. Use --member <value> to list them.`
        : `It has ${countText(entries, 'entry', 'entries')}.`,
    )
}
