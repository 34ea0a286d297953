// The command line in one process for a whole test file. What depends on a process of its own (input, signals, its
// end) is tested in one: see almanac.ts.
import { createSyncFn } from 'synckit'

export interface HostCall {
  args: readonly string[]
  cwd: string
  /** The whole environment. What Node reads only at its start, such as the locale, is that of the first call. */
  env: NodeJS.ProcessEnv
}

export interface HostAnswer {
  code: number | null
  out: string
  err: string
}

export const askHost = createSyncFn<(call: HostCall) => Promise<HostAnswer>>(
  new URL('host-worker.ts', import.meta.url),
)
