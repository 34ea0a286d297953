// A server over an org, in a process of its own, for the benchmarks of the data API: `node almanac-server.ts <org folder>`.
import { resolve } from 'node:path'
import { startServer } from '../../../../server/index.ts'
import { answerUsage } from './usage.ts'

const server = await startServer({
  org: process.argv[2]!,
  root: resolve(import.meta.dirname, '../../../..'),
  host: '127.0.0.1',
  port: 0,
  studio: false,
  sample: false,
  clientCeiling: { sustained: 1_000_000, burst: 1_000_000, concurrency: 1000 },
})
answerUsage(server.listening, () => server.close())
