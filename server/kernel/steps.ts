// Work as a generator that yields between its steps: a caller runs it to its end, or lets other work run in between.

/** Runs every step now. */
export function runToCompletion<T>(steps: Generator<void, T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}
