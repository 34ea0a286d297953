// Directus as a process of its own, configured by its environment. The command `directus start` starts the same server, and first
// asks a registry for newer versions.
import { createServer } from '@directus/api/server'
import { answerUsage } from '../support/servers/usage.ts'

const server = await createServer()
server.listen(0, '127.0.0.1', () => {
  answerUsage(`http://127.0.0.1:${server.address().port}`, () => server.close())
})
