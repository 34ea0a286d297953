// A port for durations, so that tests can control them.

export interface Timer {
  /** Milliseconds of a clock that never goes back. */
  elapsedMs(): number
  /** Rejects with the reason of the signal when it is aborted. */
  wait(ms: number, options?: WaitOptions): Promise<void>
}

export interface WaitOptions {
  signal?: AbortSignal | undefined
  /** The process may end in the meantime. */
  isBackground?: boolean
}
