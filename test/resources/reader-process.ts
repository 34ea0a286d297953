// A reader in a process of its own: cheap GETs over one kept connection, and how long the longest took.
import { Agent, get } from 'node:http'

export type ReaderCommand = 'start' | 'stop'

const [url, cookie] = process.argv.slice(2) as [string, string]
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
const everyMs = 2
let longest = 0

function once(): Promise<void> {
  return new Promise((resolve, reject) => {
    get(`${url}/healthz`, { agent, headers: { cookie } }, (response) => {
      response.resume()
      response.once('end', resolve)
    }).once('error', reject)
  })
}

process.on('message', (command: ReaderCommand) => {
  process.send!(longest)
  if (command === 'start') longest = 0
})
process.on('disconnect', () => process.exit(0))

for (let due = performance.now(); ; ) {
  await once()
  longest = Math.max(longest, performance.now() - due)
  await new Promise((resolve) => setTimeout(resolve, everyMs))
  due = performance.now()
}
