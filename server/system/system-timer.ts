// The durations of a machine, behind the port.
import { setTimeout as timeout } from 'node:timers/promises'
import type { Timer } from '../ports/timer.ts'

export const systemTimer: Timer = {
  elapsedMs: () => performance.now(),
  wait: async (ms, { signal, isBackground = false } = {}) => {
    await timeout(ms, undefined, { ref: !isBackground, ...(signal === undefined ? {} : { signal }) })
  },
}
