// Polls for change requests whose date has come; requests that became due while no server ran are applied at the start
// (docs/reference/pipeline-and-approvals.md).
import type { ChangeRequests } from './change-requests.ts'

export interface DueRunner {
  /** Resolves once running work is done. */
  stop(): Promise<void>
}

export interface DueRunnerDeps {
  requests: Pick<ChangeRequests, 'applyDue'>
  /** Receives unexpected errors; the next poll tries again. */
  onError: (error: unknown) => void
  everyMs: number
}

export function startDueRunner({ requests, onError, everyMs }: DueRunnerDeps): DueRunner {
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  const look = async (): Promise<void> => {
    await requests.applyDue().catch(onError)
    if (!stopped) timer = setTimeout(() => (running = look()), everyMs)
  }
  let running = look()
  return {
    stop: () => {
      stopped = true
      clearTimeout(timer)
      return running
    },
  }
}
