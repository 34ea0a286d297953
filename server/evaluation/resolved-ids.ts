// Finds what a set needs to resolve the keys that a result reads: its definition, and one entry per key
// (docs/reference/resolution-and-dates.md).
import type { ComponentId } from '#kernel/components/component.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import { buildSetSlice, resolveFast, SINGLETON_KEY, type Binding } from '#kernel/config/index.ts'
import { dayOf } from '#kernel/dates/civil-date.ts'
import type { Digest } from '#kernel/change/index.ts'

/** Reads only the entries of these keys; returns nothing if the view does not have the set. */
export function resolvedIds(
  view: ComponentView,
  set: string,
  keys: Iterable<string>,
  { asOf, scopePath }: Pick<Binding, 'asOf' | 'scopePath'>,
): ComponentId[] {
  const definition = view.get('config_set', set) ?? view.get('feature_flag', set)
  if (definition === undefined) return []
  const day = asOf === null ? 0 : dayOf(asOf)
  const ids: ComponentId[] = [`${definition.type}/${set}`]
  for (const key of keys) {
    const entries = view.entriesAt(set, key === SINGLETON_KEY ? null : key)
    const row = resolveFast(buildSetSlice(definition, entries, '' as Digest), key, scopePath, day)
    // A flag's default is found under the flag's own key; its definition contains it.
    if (row !== null && row.entry !== set) ids.push(`config_entry/${row.entry}`)
  }
  return ids
}
