// The command line in one process for a whole test file. What needs a separate process (input, signals, exit) is tested
// in one: see almanac.ts.
import { createSyncFn } from 'synckit'

export interface HostCall {
  args: readonly string[]
  cwd: string
  /** The complete environment. What Node reads only when it starts, such as the locale, comes from the first call. */
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
