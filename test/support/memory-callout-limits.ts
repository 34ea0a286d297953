// The limits of callouts in memory, for tests: several processes can share them, and they can fail.
import type { CalloutLimits, LimitCell, LimitState } from '../../server/ports/callout-limits.ts'

export interface MemoryCalloutLimits extends CalloutLimits {
  /** Reads and swaps so far. */
  readonly uses: { reads: number; swaps: number }
  text(cell: LimitCell): string | null
}

/** @param before runs before each use; if it throws, nothing was done, and if it returns a function, that runs after */
export function memoryCalloutLimits(
  now: () => number,
  before: (use: 'read' | 'swap') => void | (() => void) | Promise<void | (() => void)> = () => {},
): MemoryCalloutLimits {
  const cells = new Map<string, { version: number; text: string }>()
  const uses = { reads: 0, swaps: 0 }
  const keyOf = ({ kind, credential }: LimitCell): string => `${kind} ${credential}`
  return {
    uses,
    text: (cell) => cells.get(keyOf(cell))?.text ?? null,
    read: async (cell): Promise<LimitState> => {
      const after = await before('read')
      uses.reads += 1
      const { version, text } = cells.get(keyOf(cell)) ?? { version: 0, text: null }
      const state = { version, text, now: now() }
      after?.()
      return state
    },
    swap: async (cell, version, text) => {
      const after = await before('swap')
      uses.swaps += 1
      const isSame = (cells.get(keyOf(cell))?.version ?? 0) === version
      if (isSame) cells.set(keyOf(cell), { version: version + 1, text })
      after?.()
      return isSame
    },
  }
}
