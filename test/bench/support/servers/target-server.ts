// A target of calls: `node target-server.ts <n>` fails every n-th request, none if it is 0. GET /received returns what it has received.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerUsage } from './usage.ts'

export interface ReceivedByTarget {
  requests: number
  failed: number
  /** Different paths that succeeded. */
  succeeded: number
}

const every = Number(process.argv[2] ?? 0)
let requests = 0
let failed = 0
const succeeded = new Set<string>()

const server = createServer((request, response) => {
  if (request.url === '/received') {
    const body: ReceivedByTarget = { requests, failed, succeeded: succeeded.size }
    return void response.end(JSON.stringify(body))
  }
  requests += 1
  const fails = every > 0 && requests % every === 0
  request.resume().on('end', () => {
    if (fails) {
      failed += 1
      return void response.writeHead(500, { 'content-length': 2 }).end('{}')
    }
    succeeded.add(request.url!)
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 16 })
    response.end('{"state":"done"}')
  })
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () =>
  answerUsage(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, () => void server.close()),
)
