// almanac compare: compares this org with a remote, as last seen and as it is now; exits 3 if they differ.
import { appendAll } from '#kernel/append-all.ts'
import type { CompareRow, CompareState } from '#wire/remotes.ts'
import type { ComponentId } from '#kernel/components/component.ts'
import { exitCodes, UsageError } from '../fail.ts'
import { waitForJob } from '../wait-for-job.ts'
import { hasFlag, textOption } from '../options.ts'
import { compareCountsText, compareText } from '../remote-text.ts'
import { countText } from '../terminal.ts'
import type { Run } from '../command-definition.ts'

const differingStates: readonly CompareState[] = [
  'only_local',
  'only_remote',
  'changed_local',
  'changed_remote',
  'both',
]
const page = 2000
const shownRows = 100

export const run: Run = async (call) => {
  const { terminal } = call
  const key = textOption(call, 'remote')
  if (key === undefined) throw new UsageError('Specify the remote to compare with: --remote <key>.')
  const { engines, by } = await call.localOrg()
  const { remotes } = engines
  await waitForJob(call, remotes, await remotes.compare(by, key))
  const rows: CompareRow[] = []
  const whole = hasFlag(call, 'all') || terminal.json
  const local = hasFlag(call, 'drafts') ? 'drafts' : 'active'
  for (let after: ComponentId | null = null; ;) {
    const limit = whole ? page : shownRows
    const comparison = await remotes.comparison(by, key, { local, states: differingStates, after, limit })
    appendAll(rows, comparison.rows)
    if (whole && comparison.next !== null) {
      after = comparison.next as ComponentId
      continue
    }
    const { counts, drift, seen, listed, total } = comparison
    await terminal.data({ remote: key, local: comparison.local, seen, listed, counts, drift, rows })
    if (rows.length > 0) terminal.print(() => compareText(rows, terminal))
    if (total > rows.length)
      terminal.print(`… and ${countText(total - rows.length, 'more', 'more')}; use --all to show them.`)
    terminal.print(compareCountsText(counts))
    if (drift > 0)
      terminal.print(
        `${countText(drift, 'component')} changed by others on the remote since generation ${seen.generation}.`,
      )
    for (const id of comparison.local.unread)
      terminal.note(`The draft of ${id} cannot be read and is omitted.`)
    return total === 0 ? exitCodes.done : exitCodes.differs
  }
}
