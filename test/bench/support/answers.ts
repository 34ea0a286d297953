// Compares the answers of a side with those of the oracle.
import type { Side } from './compare.ts'

/** A side whose turn fills `out`; the answers of every turn are compared with `expected`, one by one. */
export function answering(
  name: string,
  expected: readonly string[],
  run: (out: string[]) => void | Promise<void>,
): Side {
  const out = new Array<string>(expected.length).fill('')
  return {
    name,
    before: () => void out.fill(''),
    run: () => run(out),
    check: () => {
      for (const [at, answer] of expected.entries())
        if (out[at] !== answer)
          throw new Error(`${name} answers question ${at} with ${out[at]}, not ${answer}.`)
    },
  }
}
