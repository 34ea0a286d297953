// A process that adds one to a limit again and again: node count-limit.ts <org> <times>
import { limitsOf } from '../../server/compose/open-callouts.ts'
import { openOrg } from '../../server/compose/open-org.ts'
import { changeCell } from '../../server/callouts/change-cell.ts'

const [dir, times] = process.argv.slice(2) as [string, string]
const org = openOrg(dir)
const cell = { kind: 'budget', credential: 'billing' } as const
const addOne = (): Promise<void> =>
  changeCell(limitsOf(org), cell, (text) => ({ text: String(Number(text ?? 0) + 1), result: undefined }))

// A few at once, as the calls of one server do.
for (let done = 0; done < Number(times); done += 4)
  await Promise.all([addOne(), addOne(), addOne(), addOne()])
await org.close()
