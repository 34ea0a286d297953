// Orders dependencies so that nothing comes before what it needs. Without recursion: a chain can be longer than the
// stack.

/**
 * Returns `start` and everything it needs that is not known yet, needs first. In a cycle, one of them comes too early.
 */
export function dependencyOrder<K = string>(
  start: K,
  needs: (key: K) => readonly K[],
  isKnown: (key: K) => boolean,
): K[] {
  const order: K[] = []
  const seen = new Set([start])
  const open = [{ key: start, left: [...needs(start)] }]
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const next = top.left.pop()
    if (next === undefined) {
      order.push(top.key)
      open.pop()
    } else if (!seen.has(next) && !isKnown(next)) {
      seen.add(next)
      open.push({ key: next, left: [...needs(next)] })
    }
  }
  return order
}

/** Returns the shortest path `from` … `to` along the needs; only the two if they are not connected. */
export function shortestPath(from: string, to: string, needs: (key: string) => readonly string[]): string[] {
  const cameFrom = new Map<string, string | null>([[from, null]])
  const queue = [from]
  for (const key of queue) {
    if (key === to) break
    for (const next of needs(key))
      if (!cameFrom.has(next)) {
        cameFrom.set(next, key)
        queue.push(next)
      }
  }
  if (!cameFrom.has(to)) return [from, to]
  const way: string[] = []
  for (let at: string | null = to; at !== null; at = cameFrom.get(at) ?? null) way.unshift(at)
  return way
}

/** Returns the cycles that a depth-first search finds, each with its first key repeated at the end. */
export function cyclesOf(edges: ReadonlyMap<string, readonly string[]>): string[][] {
  // Without recursion: a chain can be longer than the stack.
  const done = new Set<string>()
  const cycles: string[][] = []
  for (const root of [...edges.keys()].sort()) {
    if (done.has(root)) continue
    const path: string[] = [root]
    const open = [[...(edges.get(root) ?? [])]]
    while (path.length > 0) {
      const next = open.at(-1)!.shift()
      if (next === undefined) {
        open.pop()
        done.add(path.pop()!)
      } else if (path.includes(next)) cycles.push([...path.slice(path.indexOf(next)), next])
      else if (!done.has(next) && edges.has(next)) {
        path.push(next)
        open.push([...edges.get(next)!])
      }
    }
  }
  return cycles
}

const MOST_NAMED = 12

/** Formats a chain as `a calls b calls a`; of a long chain, only its two ends. */
export function chainText(chain: readonly string[], verb: 'calls' | 'reads' | 'triggers'): string {
  const between = ` ${verb} `
  if (chain.length <= MOST_NAMED) return chain.join(between)
  const [first, last] = [chain.slice(0, MOST_NAMED / 2), chain.slice(-MOST_NAMED / 2)]
  return [...first, `(${chain.length - MOST_NAMED} more)`, ...last].join(between)
}
