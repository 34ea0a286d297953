// "Did you mean": the nearest known name, for messages that refuse a name.

/** Steps of one search, a few milliseconds: only the first few thousand of a hundred thousand names are looked at. */
const mostSteps = 400_000
/** Steps that each name costs before it is compared. */
const stepsPerName = 20

/** Returns the known name closest to `input` within a third of its length (at least 2 edits), or null. */
export function suggest(input: string, names: Iterable<string>): string | null {
  let steps = 0
  let best: string | null = null
  let bestDistance = Math.max(2, Math.floor(input.length / 3)) + 1
  const lower = input.toLowerCase()
  for (const name of names) {
    const isNear = Math.abs(input.length - name.length) < bestDistance
    steps += stepsPerName + (isNear ? input.length * name.length : 0)
    if (steps > mostSteps) break
    if (!isNear) continue
    const distance = editDistance(lower, name.toLowerCase(), bestDistance)
    if (distance < bestDistance) {
      best = name
      bestDistance = distance
    }
  }
  return best
}

/** Returns ` Did you mean "x"?` or the empty string, to be appended to a message. */
export function didYouMean(given: string, known: Iterable<string>): string {
  const name = suggest(given, known)
  return name === null ? '' : ` Did you mean "${name}"?`
}

function editDistance(a: string, b: string, limit: number): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i += 1) {
    const current = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1
      current.push(Math.min(previous[j]! + 1, current[j - 1]! + 1, previous[j - 1]! + cost))
    }
    if (current.every((distance) => distance >= limit)) return limit
    previous = current
  }
  return previous[b.length]!
}
