// A process that applies and is killed: node apply-child.ts <org> <first value> <stage or "-"> <applies>
import { writeSync } from 'node:fs'
import { openOrg } from '../../server/compose/open-org.ts'
import type { FaultPoint } from '../../server/pipeline/index.ts'
import { haltAt } from './halt-at.ts'
import { changesTo } from './sample.ts'

const [dir, first, stop, applies] = process.argv.slice(2) as [string, string, FaultPoint | '-', string]

const org = openOrg(dir, { faultHook: haltAt(stop) })
writeSync(1, 'open\n')
for (let value = Number(first); value < Number(first) + Number(applies); value += 1) {
  const { generation } = await org.apply({
    source: { kind: 'components', components: changesTo(value) },
    actor: 'admin',
    rationale: `to ${value}`,
  })
  writeSync(1, `done ${generation} ${value}\n`)
}
await org.close()
