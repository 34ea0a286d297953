// How often the requests to each webhook endpoint were refused, and why, from the events of the execution trace.
import { endpointOfEvent, refusalReason, type RefusalEvent, type RefusalsEvent } from './delivery-words.ts'

export interface RefusalCount {
  endpoint: string
  refused: number
  /** The newest; null if it is not among the events. */
  lastAt: string | null
  /** Of the requests with an event of their own, the most frequent first. */
  reasons: { name: string; count: number }[]
}

/**
 * A count has every request until it was written; later ones are only among the requests with an event of their own.
 * The endpoint with the most refused requests comes first.
 */
export function refusalCounts(
  refusals: readonly RefusalEvent[],
  counts: readonly RefusalsEvent[],
): RefusalCount[] {
  const endpoints = new Set([...refusals, ...counts].map(endpointOfEvent))
  return [...endpoints]
    .map((endpoint): RefusalCount => {
      const own = refusals.filter((each) => endpointOfEvent(each) === endpoint)
      const counted = counts.filter((each) => endpointOfEvent(each) === endpoint)
      const until = counted.reduce((latest, { facts }) => (facts.until > latest ? facts.until : latest), '')
      const times = [...own.map(({ at }) => at), ...counted.map(({ at }) => at)]
      const byReason = new Map<string, number>()
      for (const each of own) {
        const { name } = refusalReason(each)
        byReason.set(name, (byReason.get(name) ?? 0) + 1)
      }
      return {
        endpoint,
        refused:
          counted.reduce((sum, { facts }) => sum + facts.refused, 0) +
          own.filter(({ at }) => at > until).length,
        lastAt: times.reduce<string | null>((last, at) => (last === null || at > last ? at : last), null),
        reasons: [...byReason]
          .map(([name, count]) => ({ name, count }))
          .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1)),
      }
    })
    .sort((a, b) => b.refused - a.refused || (a.endpoint < b.endpoint ? -1 : 1))
}
