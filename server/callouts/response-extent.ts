// Whether a JSON response is small enough to be built: that happens on threads for which all users wait, and a few
// megabytes of brackets become a tree that takes seconds.
import { jsonExtent } from '#kernel/components/json-extent.ts'
import { maxNesting } from '#kernel/components/json-issues.ts'

/** At every level. */
const mostValues = 20_000

/** Completes "its response …"; null if it can be read. */
export function explainExtent(body: Uint8Array): string | null {
  const { values, depth } = jsonExtent(body, mostValues)
  if (values > mostValues)
    return `has more than the ${mostValues.toLocaleString('en')} values that are read; ask the target for fewer at once`
  return depth > maxNesting ? `is nested more than ${maxNesting} levels deep` : null
}
