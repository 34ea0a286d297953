// Explains why a recompute may give a different value: what differs between two bindings, and who changed it when.
import type { ComponentId } from '#kernel/components/component.ts'
import type { Binding } from '#kernel/config/index.ts'
import { formatLongDate } from '#kernel/dates/civil-date.ts'
import type { ReadRecording } from '#kernel/evidence/index.ts'
import type { OrgReader } from '../ports/org-store.ts'
import { resolvedIds } from './resolved-ids.ts'
import type { EvaluationDeps } from './deps.ts'
import type { KeyRename } from './present-question.ts'

/** How many changed components a sentence names. */
const maxNamedChanges = 3

export interface BindingComparison {
  before: Binding
  after: Binding
  renames: readonly KeyRename[]
  /** The business keys that the result reads of each set, by the set's name today; null if they must not be seen. */
  keys: ReadRecording['keys'] | null
  /** The dates at which sets are read, by the set's name today; omitted for a set that is read at the date of the bindings. */
  dates?: ReadonlyMap<string, ReadonlySet<Binding['asOf']>>
}

/** A sentence for each set, flag and calc function that differs, and for the date and the scope. */
export function reasonsOf(
  deps: EvaluationDeps,
  { before, after, renames, keys, dates }: BindingComparison,
): string[] {
  return deps.store.read((reader) => {
    const changed = changedIds(reader, before.generation, after.generation)
    /** Returns a sentence for a set. Names only changes to what the result reads now or read then. */
    const setChanged = (set: string, from: number, since: readonly ComponentId[]): string => {
      const own = since.filter((id) => belongsTo(id, set))
      if (own.length === 0 || keys === null) return `${set} changed.`
      const readKeys = keys.get(set) ?? []
      const idsAt = (generation: number, { asOf, scopePath }: Binding): ComponentId[] =>
        [...(dates?.get(set) ?? [asOf])].flatMap((date) =>
          resolvedIds(reader.generations.view(generation), set, readKeys, { asOf: date, scopePath }),
        )
      const read = new Set([...idsAt(from, before), ...idsAt(after.generation, after)])
      const named = own.filter((id) => read.has(id))
      if (named.length === 0) return `${set} changed, but not in anything that is read here.`
      return `${set} changed${who(named)}.`
    }
    const who = (ids: readonly ComponentId[]): string => changesOf(reader, ids, after.generation)
    const reasons: string[] = []
    const moved = new Set(renames.flatMap(({ from, to }) => [from, to]))
    for (const { from, to, at } of renames) {
      reasons.push(`${from} has been called ${to} since generation ${at}${authorClause(reader, at)}.`)
      const since = changedIds(reader, at, after.generation)
      const called: ComponentId = `calc_function/${to}`
      if (since.includes(called)) reasons.push(`${to} changed${who([called])}.`)
      else if (since.some((id) => belongsTo(id, to))) reasons.push(setChanged(to, at, since))
    }
    for (const set of keysOf(before.config, after.config)) {
      if (moved.has(set)) continue
      const [old, now] = [before.config[set], after.config[set]]
      if (old === undefined) reasons.push(`${set} is read now; it was not read before.`)
      else if (now === undefined) reasons.push(`${set} is no longer read.`)
      else if (old !== now) reasons.push(setChanged(set, before.generation, changed))
    }
    for (const key of keysOf(before.functions, after.functions)) {
      if (moved.has(key)) continue
      const [old, now] = [before.functions[key], after.functions[key]]
      if (old === now) continue
      const change =
        old === undefined ? 'is now called' : now === undefined ? 'is no longer called' : 'changed'
      reasons.push(
        `The calc function ${key} ${change}${who(changed.filter((id) => id === `calc_function/${key}`))}.`,
      )
    }
    if (before.asOf !== after.asOf)
      reasons.push(`The as-of date is ${dateWords(after.asOf)}; it was ${dateWords(before.asOf)}.`)
    if (JSON.stringify(before.scopePath) !== JSON.stringify(after.scopePath))
      reasons.push('The scope path on which the sets depend changed.')
    return reasons
  })
}

const dateWords = (date: Binding['asOf']): string => (date === null ? 'none' : formatLongDate(date))

function authorClause(reader: Pick<OrgReader, 'generations'>, generation: number): string {
  const row = reader.generations.get(generation)
  return row === undefined ? '' : `, by ${row.actor}`
}

/** Empty if the older generation does not exist here: purged, or of another org. */
function changedIds(
  reader: Pick<OrgReader, 'components' | 'generations'>,
  from: number,
  to: number,
): ComponentId[] {
  if (from >= to || reader.generations.get(from) === undefined) return []
  return reader.components.changedBetween(from, to)
}

function changesOf(
  reader: Pick<OrgReader, 'components'>,
  ids: readonly ComponentId[],
  generation: number,
): string {
  if (ids.length === 0) return ''
  const sentences = [...ids]
    .sort()
    .slice(0, maxNamedChanges)
    .map((id) => {
      const version = reader.components.versionAt(generation, id)
      const key = id.slice(id.indexOf('/') + 1)
      return version === undefined
        ? `${key} was removed`
        : `${key} by ${version.actor} in generation ${version.from}`
    })
  const more = ids.length > maxNamedChanges ? ` and ${ids.length - maxNamedChanges} more` : ''
  return `: ${sentences.join(', ')}${more}`
}

function belongsTo(id: ComponentId, set: string): boolean {
  return id === `config_set/${set}` || id === `feature_flag/${set}` || id.startsWith(`config_entry/${set}.`)
}

function keysOf(before: object, after: object): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()
}
