import { describe, expect, it } from 'vitest'
import type { LookupAnswer, LookupSearch } from '../../../elements/index.ts'
import { callWords } from './call-words.ts'
import { watchSource, type SourceCall } from './watched-source.ts'

const request = (signal = new AbortController().signal) => ({
  ...{ matchFields: ['name'], displayFields: [] },
  signal,
})
const options = [{ value: '1', label: 'Ada' }]

/** Returns every state of each call, and the watched search. */
function watch(search: LookupSearch): { calls: Map<number, SourceCall[]>; search: LookupSearch } {
  const calls = new Map<number, SourceCall[]>()
  let [time, last] = [0, 0]
  const watched = watchSource(
    search,
    (call, id) => calls.set(id, [...(calls.get(id) ?? []), call]),
    () => (time += 10),
    () => ++last,
  )
  return { calls, search: watched }
}
const states = (calls: Map<number, SourceCall[]>, id: number): string[] =>
  calls.get(id)!.map(({ state }) => state)

describe('a watched source', () => {
  it('passes on the result, of a promise or at once, and counts it', async () => {
    const { calls, search } = watch((query) =>
      query === 'now' ? options : Promise.resolve({ options, total: 9 }),
    )
    expect(search('now', request())).toBe(options)
    expect(await search('later', request())).toEqual({ options, total: 9 })
    expect(states(calls, 1)).toEqual(['waiting', 'answered'])
    expect(calls.get(2)!.at(-1)).toMatchObject({ state: 'answered', count: 1, total: 9, query: 'later' })
  })

  it('passes on failures, of a promise or at once', async () => {
    const { calls, search } = watch((query) => {
      if (query === 'now') throw new Error('broken')
      return Promise.reject(new Error('later'))
    })
    expect(() => search('now', request())).toThrow('broken')
    await expect(search('later', request())).rejects.toThrow('later')
    expect([states(calls, 1).at(-1), states(calls, 2).at(-1)]).toEqual(['failed', 'failed'])
  })

  it('stays cancelled, and records a late response', async () => {
    const abort = new AbortController()
    let answer!: (given: LookupAnswer) => void
    const { calls, search } = watch(() => new Promise((resolve) => (answer = resolve)))
    const result = search('al', request(abort.signal))
    abort.abort()
    answer(options)
    await result
    const [, off, late] = calls.get(1)!
    expect(off).toMatchObject({ state: 'cancelled', late: false })
    expect(late).toMatchObject({ state: 'cancelled', late: true, ms: off!.ms })
    expect(callWords(late!)).toEqual({
      name: 'search cancelled',
      detail: '“al”: returned later, ignored; match name',
      tone: 'muted',
    })
  })

  it('is not cancelled by anything after its result', () => {
    const abort = new AbortController()
    const { calls, search } = watch(() => options)
    search('', request(abort.signal))
    abort.abort()
    expect(states(calls, 1)).toEqual(['waiting', 'answered'])
  })
})
