// A component as text for comparisons: names are sorted, so the text differs only if the meaning does.

/** Returns formatted JSON with sorted names and a final newline; empty for no value. */
export function pretty(value: unknown): string {
  return value === null || value === undefined ? '' : `${JSON.stringify(sortKeys(value), null, 2)}\n`
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([name, part]) => [name, sortKeys(part)]))
}
