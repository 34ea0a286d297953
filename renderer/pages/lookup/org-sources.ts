// Sources over the open org: what the server shows to whoever asks, called off with the field's signal.
import type { LookupOption, LookupSearch } from '../../../elements/index.ts'
import { fetchComponents } from '../../api/components.ts'
import { fetchPeople } from '../../api/org.ts'
import type { ComponentRow } from '../../api/wire.ts'
import { addressOf } from '../../frame/address.ts'
import { valueWords } from '../../text/words.ts'

const page = 100

/** Where the element names fields, every word has to stand in one of them. */
function fits({ fields = {} }: LookupOption, query: string, matchFields: readonly string[]): boolean {
  if (matchFields.length === 0) return true
  const texts = matchFields.map((name) => String(fields[name] ?? '').toLowerCase())
  return query
    .toLowerCase()
    .split(/\s+/u)
    .every((word) => texts.some((text) => text.includes(word)))
}

/** What the server is asked for: everything, where a field is matched that it does not search itself. */
const askedOf = (q: string, matchFields: readonly string[], searched: readonly string[]): string =>
  matchFields.every((name) => searched.includes(name)) ? q.trim() : ''

export function componentsSource(): LookupSearch {
  return async (q, { signal, cursor, matchFields }) => {
    const asked = askedOf(q, matchFields, ['key', 'label'])
    const limit = asked === q.trim() ? page : 1000
    const query = { q: asked, limit, ...(typeof cursor === 'string' ? { cursor } : {}) }
    const { components, nextCursor } = await fetchComponents(query, signal)
    const options = components.map(({ id, type, key, label }) => ({
      ...{ value: id, label: key, href: addressOf(id).path },
      fields: { key, label: label === key ? '' : label, type: type.replaceAll('_', ' ') },
    }))
    return { options: options.filter((each) => fits(each, q, matchFields)), next: nextCursor }
  }
}

export function peopleSource(): LookupSearch {
  return async (q, { signal, matchFields }) => {
    const { users, groups } = await fetchPeople(askedOf(q, matchFields, ['key', 'name']), page, signal)
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

/** The business keys of a keyed set, each once. */
export function keysSource(set: string): LookupSearch {
  return async (q, { signal, cursor, matchFields }) => {
    const asked = askedOf(q, matchFields, ['key'])
    const query = { type: 'config_entry' as const, set, q: asked, limit: 1000 }
    const answer = await fetchComponents(
      { ...query, ...(typeof cursor === 'string' ? { cursor } : {}) },
      signal,
    )
    const byKey = Map.groupBy(answer.components, ({ facts }) => String(facts?.key ?? ''))
    byKey.delete('')
    const options = [...byKey].map(([key, rows]) => keyOption(set, key, rows))
    const begins = ({ label }: LookupOption): number =>
      Number(!label.toLowerCase().startsWith(q.trim().toLowerCase()))
    options.sort((a, b) => begins(a) - begins(b) || a.label.localeCompare(b.label))
    return { options: options.filter((each) => fits(each, q, matchFields)), next: answer.nextCursor }
  }
}

function keyOption(set: string, key: string, rows: readonly ComponentRow[]): LookupOption {
  const since = (row: ComponentRow): string => row.facts?.effectiveFrom ?? ''
  const latest = rows.reduce((best, row) => (since(row) > since(best) ? row : best))
  const values = Object.entries(latest.facts?.values ?? {})
  return {
    ...{ value: key, label: key, href: `/time/${set}?key=${encodeURIComponent(key)}` },
    fields: {
      key,
      value: values.map(([name, value]) => `${name} ${valueWords(value)}`).join(', '),
      since: since(latest) === '' ? '' : `since ${since(latest)}`,
      entries: rows.length === 1 ? '1 entry' : `${rows.length} entries`,
    },
  }
}
