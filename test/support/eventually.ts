import { vi } from 'vitest'

/** Waits for what happens after a response, such as jobs and uses of clients, also on a busy machine. */
export const eventually = (check: () => Promise<void>): Promise<void> =>
  vi.waitFor(check, { timeout: 20_000 })
