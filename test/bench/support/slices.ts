// A slice of the tariff, and its answers against the oracle's.
import { componentDigest, nobleSha256 } from '#kernel/change/index.ts'
import type { ScopePath } from '#kernel/components/scopes.ts'
import { buildSetSlice, generationSlice, resolve, resolveFast, type SetSlice } from '#kernel/config/index.ts'
import { answering } from './answers.ts'
import type { Side } from './compare.ts'
import { oracle, questionsOver, type ParsedTariff, type Question, type TariffKey } from './tariff.ts'

export const paths: Record<string, ScopePath> = {
  prod: { environment: 'prod' },
  dev: { environment: 'dev' },
}

export function sliceOf({ set, entries }: ParsedTariff): SetSlice {
  return buildSetSlice(set, entries, componentDigest(set, nobleSha256))
}

/** Compares some answers of a slice with the oracle's; throws if they differ. */
export function checker(keys: readonly TariffKey[], ranges: number): (slice: SetSlice) => void {
  const questions = questionsOver(keys, ranges, 1000)
  const expected = oracle(keys, questions)
  return (slice) => {
    for (const [at, { key, env, day }] of questions.entries()) {
      const found = resolveFast(slice, key, paths[env]!, day)?.values['rate']
      if (found !== expected[at]) throw new Error(`${key} resolves to ${String(found)}, not ${expected[at]}.`)
    }
  }
}

/** `resolveFast`, called with day numbers as expressions do. */
export function fast(slice: SetSlice, questions: readonly Question[], expected: readonly string[]): Side {
  const requests = questions.map(({ key, env, day }) => ({ key, path: paths[env]!, day }))
  return answering('resolveFast', expected, (out) => {
    for (let at = 0; at < requests.length; at += 1) {
      const { key, path, day } = requests[at]!
      out[at] = resolveFast(slice, key, path, day)!.values['rate'] as string
    }
  })
}

/** `resolve`, called with whole questions and ISO dates. */
export function full(slice: SetSlice, questions: readonly Question[], expected: readonly string[]): Side {
  const generation = generationSlice(1, new Map([[slice.set, slice]]))
  const requests = questions.map(({ key, env, date }) => ({
    set: slice.set,
    key,
    scopePath: paths[env]!,
    asOf: date,
  }))
  return answering('resolve', expected, (out) => {
    for (let at = 0; at < requests.length; at += 1)
      out[at] = resolve(generation, requests[at]!).values['rate'] as string
  })
}
