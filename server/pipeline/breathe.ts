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

/** Lets others run now, however little was done. */
export function letOthersRun(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** Runs work that yields between its steps, with a breath whenever a piece is used up. */
export async function inPieces<T>(steps: Generator<void, T>): Promise<T> {
  const breathe = breather()
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    await breathe()
  }
}
