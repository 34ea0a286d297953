// Looks for change requests whose date has come, at the start and then again and again; what was due while nothing ran is
// applied at the start (completions 4).
import type { ChangeRequests } from './change-requests.ts'

export interface DueRunner {
  /** Resolves once what runs is done. */
  stop(): Promise<void>
}

export interface DueRunnerParts {
  requests: Pick<ChangeRequests, 'applyDue'>
  /** The unforeseen; the next look tries again. */
  onError: (error: unknown) => void
  everyMs: number
}

export function startDueRunner({ requests, onError, everyMs }: DueRunnerParts): DueRunner {
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
