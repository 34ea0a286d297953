// A process that processes the bulk jobs of an org until it is killed: node child.ts <org>
import { writeSync } from 'node:fs'
import { openIngests } from '../../../server/compose/open-ingests.ts'
import { openOrg } from '../../../server/compose/open-org.ts'
import { newThreads } from '../../../server/compose/threads.ts'

const [dir = ''] = process.argv.slice(2)
const org = openOrg(dir, { worker: true, threads: newThreads })
const runner = openIngests(org, {
  ...{ threads: newThreads, uses: { noteIngestColumns: () => undefined } },
  onProgress: () => writeSync(1, 'batch\n'),
  onError: (error) => writeSync(1, `error ${(error as Error).message}\n`),
})
process.on('SIGTERM', () => {
  void runner
    .close()
    .then(() => org.close())
    .then(() => process.exit(0))
})
runner.wake()
writeSync(1, 'open\n')
// Until it is killed.
setInterval(() => undefined, 1000)
