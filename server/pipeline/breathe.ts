// Long work in short pieces, so that whoever waits on this thread never waits long (numbers of bench.md).

/** Milliseconds of work between two breaths. */
const PIECE = 2

/** Call often; lets others run once the piece is used up. */
export function breather(): () => Promise<void> | undefined {
  let started = performance.now()
  return () => {
    if (performance.now() - started < PIECE) return undefined
    return new Promise<void>((resolve) =>
      setImmediate(() => {
        started = performance.now()
        resolve()
      }),
    )
  }
}
