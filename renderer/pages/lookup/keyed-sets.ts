// The sets whose business keys can be searched. Only each set itself shows whether it is keyed, so they are read a few
// at a time.
import type { useCatalogue } from '../../stores/catalogue.ts'
import { setOf } from '../../widgets/entry-set.ts'

export interface KeyedSet {
  key: string
  label: string
  keyedBy: string
}

const most = 12

/**
 * Returns the first of them, and always the one that is requested; more as they become known. `before`: those of the
 * last call, which keeps a set in the list while it is read again.
 */
export function keyedSets(
  catalogue: Pick<ReturnType<typeof useCatalogue>, 'list' | 'envelope'>,
  requestedKey: string,
  before: readonly KeyedSet[] = [],
): KeyedSet[] {
  const rows = catalogue.list('config_set')
  const keysBySet = new Map<string, string>()
  let unread = 0
  for (const { key } of rows.toSorted(
    (a, b) => Number(b.key === requestedKey) - Number(a.key === requestedKey),
  )) {
    if (keysBySet.size + unread === most) break
    const envelope = catalogue.envelope('config_set', key)
    const keyedBy =
      envelope === undefined
        ? before.find((each) => each.key === key)?.keyedBy
        : envelope && setOf(key, envelope.body).keyedBy?.key
    if (keyedBy) keysBySet.set(key, keyedBy)
    else if (envelope === undefined) unread += 1
  }
  return rows.flatMap(({ key, label }) => {
    const keyedBy = keysBySet.get(key)
    return keyedBy === undefined ? [] : [{ key, label, keyedBy }]
  })
}
