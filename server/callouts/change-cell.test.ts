import { calloutLimitsContract } from '../../test/support/callout-limits-contract.ts'
import { memoryCalloutLimits } from '../../test/support/memory-callout-limits.ts'

calloutLimitsContract('memory', () => {
  const limits = memoryCalloutLimits(() => Math.floor(performance.now()))
  return Promise.resolve([limits, limits])
})
