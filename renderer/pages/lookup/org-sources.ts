// Sources over the open org: what the server shows to the current user, cancelled by the field's signal.
import { arraySource, type LookupOption, type LookupSearch } from '../../../elements/index.ts'
import { fetchAllComponents, fetchComponents } from '../../api/components.ts'
import { searchPrincipals } from '../../api/org.ts'
import type { ComponentRow } from '../../api/wire.ts'
import { addressOf } from '../../frame/address.ts'
import { useOrg } from '../../stores/org.ts'
import { valueWords } from '../../text/words.ts'

const page = 100

/** If the element names fields, every word has to be in one of them. */
function fits({ fields = {} }: LookupOption, query: string, matchFields: readonly string[]): boolean {
  if (matchFields.length === 0) return true
  const texts = matchFields.map((name) => String(fields[name] ?? '').toLowerCase())
  return query
    .toLowerCase()
    .split(/\s+/u)
    .every((word) => texts.some((text) => text.includes(word)))
}

/** The query for the server: everything, if a field is matched that the server does not search. */
const askedOf = (q: string, matchFields: readonly string[], searched: readonly string[]): string =>
  matchFields.every((name) => searched.includes(name)) ? q.trim() : ''

export function componentsSource(): LookupSearch {
  return async (q, { signal, cursor, matchFields }) => {
    const searchTerm = askedOf(q, matchFields, ['key', 'label'])
    const limit = searchTerm === q.trim() ? page : 1000
    // Results of the server that do not match are skipped, so that no page except the last is empty.
    for (let at = typeof cursor === 'string' ? cursor : undefined; ;) {
      const { components, nextCursor } = await fetchComponents({ q: searchTerm, limit, cursor: at }, signal)
      const options = components
        .map(({ id, type, key, label }) => ({
          ...{ value: id, label: key, href: addressOf(id).path },
          fields: { key, label: label === key ? '' : label, type: type.replaceAll('_', ' ') },
        }))
        .filter((each) => fits(each, q, matchFields))
      if (options.length > 0 || nextCursor === null) return { options, next: nextCursor }
      at = nextCursor
    }
  }
}

export function peopleSource(): LookupSearch {
  return async (q, { signal, matchFields }) => {
    const { users, groups } = await searchPrincipals(askedOf(q, matchFields, ['key', 'name']), page, signal)
    const options: LookupOption[] = [
      ...users.map(({ key, name, active }) => ({
        ...{ value: `user:${key}`, label: name },
        fields: { key, name, state: active ? '' : 'inactive' },
      })),
      ...groups.map(({ key, name }) => ({
        ...{ value: `group:${key}`, label: name, group: 'Groups' },
        fields: { key, name, state: 'group' },
      })),
    ]
    return options.filter((each) => fits(each, q, matchFields))
  }
}

/**
 * The business keys of a keyed set, each once. The description of a key comes from all its entries, which can be
 * anywhere: all are read, and again once something in the org has changed.
 */
export function keysSource(set: string): LookupSearch {
  const org = useOrg()
  let cache: { epoch: number; search: Promise<LookupSearch> } | null = null
  const read = async (): Promise<LookupSearch> => {
    const rows = keyRows(await fetchAllComponents({ type: 'config_entry', set }))
    const href = ({ key }: KeyRow): string => `/time/${set}?key=${encodeURIComponent(key)}`
    return arraySource(rows, { value: 'key', label: 'key', href })
  }
  return async (q, request) => {
    if (cache?.epoch !== org.epoch) cache = { epoch: org.epoch, search: read() }
    const cacheEntry = cache
    try {
      const search = await withSignal(request.signal, cacheEntry.search)
      return await search(q, request)
    } catch (error) {
      if (cache === cacheEntry && !request.signal.aborted) cache = null
      throw error
    }
  }
}

/** A request that other callers also wait for continues; this caller stops waiting at its signal. */
const withSignal = <T>(signal: AbortSignal, answer: Promise<T>): Promise<T> =>
  Promise.race([
    answer,
    new Promise<never>((_done, gone) =>
      signal.addEventListener('abort', () => gone(signal.reason as Error), { once: true }),
    ),
  ])

export interface KeyRow {
  key: string
  /** The values of the entry with the latest start. */
  value: string
  since: string
  entries: string
}

export function keyRows(rows: readonly ComponentRow[]): KeyRow[] {
  const byKey = Map.groupBy(rows, ({ facts }) => String(facts?.key ?? ''))
  byKey.delete('')
  return [...byKey].map(([key, of]) => keyRow(key, of)).sort((a, b) => a.key.localeCompare(b.key))
}

function keyRow(key: string, rows: readonly ComponentRow[]): KeyRow {
  const since = (row: ComponentRow): string => row.facts?.effectiveFrom ?? ''
  const latest = rows.reduce((best, row) => (since(row) > since(best) ? row : best))
  const values = Object.entries(latest.facts?.values ?? {})
  return {
    key,
    value: values.map(([name, value]) => `${name} ${valueWords(value)}`).join(', '),
    since: since(latest) === '' ? '' : `since ${since(latest)}`,
    entries: rows.length === 1 ? '1 entry' : `${rows.length} entries`,
  }
}
