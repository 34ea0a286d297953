// The worker for records: saves over a separate connection, next to the readers.
import { parentPort } from 'node:worker_threads'
import { openOrg } from './open-org.ts'
import type { RecordWorkerData } from './open-records.ts'
import { openParts } from './record-parts.ts'
import { recordVerbs } from './record-verbs.ts'
import { newThreads } from './threads.ts'
import { serveCalls } from './worker-calls.ts'

serveCalls(
  parentPort!,
  (data) => {
    const { dir, busyMs } = data as RecordWorkerData
    const org = openOrg(dir, { busyMs })
    const parts = openParts(dir, org, { threads: newThreads, busyMs })
    const verbs = recordVerbs(parts.deps)
    return {
      answer: async (verb, request, _turn, letNextBegin) => {
        // A generation that was activated since is the active one here too.
        await org.refresh()
        return verbs[verb]!(request as never, letNextBegin)
      },
      close: async () => {
        await parts.close()
        await org.close()
      },
    }
  },
  { priority: 'normal' },
)
