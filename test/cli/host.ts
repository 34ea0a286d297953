// The command line in one process for a whole test file. What depends on a separate process (input, signals, its exit)
// is tested in one: see almanac.ts.
import { createSyncFn } from 'synckit'

export interface HostCall {
  args: readonly string[]
  cwd: string
  /** The whole environment. What Node reads only at its start, such as the locale, comes from the first call. */
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
