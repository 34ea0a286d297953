// A server as it is served, with the memory of its process: `node event-server.ts <org folder>`.
import { resolve } from 'node:path'
import { startServer } from '../../../../server/index.ts'
import { answerUsage } from './usage.ts'

const server = await startServer({
  ...{ org: process.argv[2]!, root: resolve(import.meta.dirname, '../../../..') },
  ...{ host: '127.0.0.1', port: 0, studio: false, sample: false },
  limitsClients: false,
})
answerUsage(server.listening, () => server.close())
