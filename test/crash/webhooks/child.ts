// A server over an org until it is killed: node child.ts <org>
import { writeSync } from 'node:fs'
import { startServer } from '../../../server/index.ts'

const [dir = ''] = process.argv.slice(2)
const { listening } = await startServer({
  ...{ org: dir, root: process.cwd(), host: '127.0.0.1', port: 0, studio: false, sample: false },
  ...{ limitsClients: false, warm: false },
})
writeSync(1, `${listening}\n`)
