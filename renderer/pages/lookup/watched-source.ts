// A watched source: records every call with its arguments, and how it ended.
import type { LookupAnswer, LookupSearch } from '../../../elements/index.ts'

export interface SourceCall {
  query: string
  matchFields: readonly string[]
  displayFields: readonly string[]
  /** Set if a further page was requested. */
  cursor: unknown
  state: 'waiting' | 'answered' | 'failed' | 'cancelled'
  /** The number of options in the response, and the total if the source gives one. */
  count: number
  total: number | null
  ms: number
  /** It returned after it had been cancelled. */
  late: boolean
}

/** Calls the callback when a call begins, and again whenever more is known of it. */
export function watchSource(
  search: LookupSearch,
  report: (call: SourceCall, id: number) => void,
  now: () => number,
  nextId: () => number,
): LookupSearch {
  return (query, request) => {
    const id = nextId()
    const begun = now()
    let call: SourceCall = {
      ...{ query, matchFields: request.matchFields, displayFields: request.displayFields },
      ...{ cursor: request.cursor ?? null, state: 'waiting', count: 0, total: null, ms: 0, late: false },
    }
    const update = (changes: Partial<SourceCall>): void => {
      call = { ...call, ms: Math.round(now() - begun), ...changes }
      report(call, id)
    }
    const answer = (response: LookupAnswer): LookupAnswer => {
      if (call.state === 'cancelled') update({ late: true, ms: call.ms })
      else update({ state: 'answered', ...sizeOf(response) })
      return response
    }
    const fail = (error: unknown): never => {
      if (call.state !== 'cancelled') update({ state: 'failed' })
      throw error
    }
    report(call, id)
    request.signal.addEventListener('abort', () => {
      if (call.state === 'waiting') update({ state: 'cancelled' })
    })
    try {
      const given = search(query, request)
      return isPromise(given) ? given.then(answer, fail) : answer(given)
    } catch (error) {
      return fail(error)
    }
  }
}

const isPromise = (given: LookupAnswer | Promise<LookupAnswer>): given is Promise<LookupAnswer> =>
  typeof (given as Promise<LookupAnswer> | null)?.then === 'function'

function sizeOf(answer: LookupAnswer): Pick<SourceCall, 'count' | 'total'> {
  if (Array.isArray(answer)) return { count: answer.length, total: null }
  const { options, total } = answer as { options?: readonly unknown[]; total?: number }
  return { count: options?.length ?? 0, total: total ?? null }
}
