// What a request costs, measured again if the cost exceeds a bound.
import { attempts, breaches, burden } from './bounds.ts'
import type { Cost, MeasuredServer, SentRequest } from './measured-server.ts'

/**
 * The lowest cost of a request. A request that exceeds a bound is sent again, to a server that has collected its
 * garbage.
 * @param make makes the request, again for each attempt
 */
export async function leastCost(
  on: MeasuredServer,
  make: () => SentRequest | Promise<SentRequest>,
  most: number = attempts,
): Promise<Cost> {
  let least = await on.cost(await make())
  for (let again = 1; again < most && breaches(least).length > 0; again += 1) {
    const sent = await make()
    await on.collect()
    const next = await on.cost(sent)
    // A request that is refused the second time does less work, so it proves nothing about the first.
    if (next.status === least.status && burden(next) < burden(least)) least = next
  }
  return least
}
