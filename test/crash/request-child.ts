// A process that applies a change request and is killed: node request-child.ts <org> <id> <stage>
import { writeSync } from 'node:fs'
import { enginesOf } from '../../server/compose/engines.ts'
import { openOrg } from '../../server/compose/open-org.ts'
import { haltAt } from './halt-at.ts'

const [dir, id, stop] = process.argv.slice(2) as [string, string, string]
const org = openOrg(dir, { faultHook: haltAt(stop) })
writeSync(1, 'open\n')
const { outcome } = await enginesOf(org).requests.apply({ actor: 'ben', correlationId: 'crash' }, id, {})
writeSync(1, `done ${outcome.generation} 0\n`)
await org.close()
