// Which of the differing components are ticked. Ticks are stored by id over everything that differs, never over the
// loaded rows, so that the page counts, sends and describes the same set.
import { splitId, type ComponentId } from '#kernel/components/component.ts'
import type { CompareRow, Comparison, ComparisonIndex, CompareState, PushRequest } from '#wire/remotes.ts'
import { isPushedByDefault } from './remote-words.ts'

/** The part of a compared component that a tick depends on. */
export type Differing = Pick<CompareRow, 'id' | 'state' | 'drift'>

export interface Ticks {
  /** What is ticked before any pick: what is pushed by default, or nothing. */
  base: 'default' | 'none'
  /** Picks against the base, by id. */
  picks: ReadonlyMap<string, boolean>
}

export const initialTicks: Ticks = { base: 'default', picks: new Map() }

export interface TickFilter {
  states?: readonly CompareState[] | undefined
  drift?: boolean | undefined
  q: string
}

export const isUntouched = ({ base, picks }: Ticks): boolean => base === 'default' && picks.size === 0

const baseOf = (base: Ticks['base'], row: Differing): boolean => base === 'default' && isPushedByDefault(row)

export function isTicked({ base, picks }: Ticks, row: Differing): boolean {
  return row.state !== 'same' && (picks.get(row.id) ?? baseOf(base, row))
}

/** Returns the ticks once `rows` are ticked or not. If `rows` is everything, later rows follow the same choice. */
export function withRows(
  ticks: Ticks,
  rows: readonly Differing[],
  { on, everything }: { on: boolean; everything: boolean },
): Ticks {
  const base = everything ? (on ? 'default' : 'none') : ticks.base
  const picks = new Map(everything ? [] : ticks.picks)
  for (const row of rows) {
    if (row.state === 'same') continue
    if (baseOf(base, row) === on) picks.delete(row.id)
    else picks.set(row.id, on)
  }
  return { base, picks }
}

/** Every component that differs, in the order of the index. */
export function differingRows({ differing }: ComparisonIndex): Differing[] {
  return differing.flatMap(({ ids, ...how }) => ids.map((id) => ({ id, ...how })))
}

/** Whether a page of the comparison still shows these components. */
export function agrees(differing: readonly Differing[], { counts, rows }: Comparison): boolean {
  const { same: _, ...differs } = counts
  const total = Object.values(differs).reduce((sum, each) => sum + each, 0)
  if (total !== differing.length) return false
  const known = new Map(differing.map((row) => [row.id, row]))
  return rows.every(({ id, state, drift }) => {
    const row = known.get(id)
    return state === 'same' ? row === undefined : row?.state === state && row.drift === drift
  })
}

/** Whether the server lists the row under this filter. */
export function matches({ states, drift, q }: TickFilter, row: Differing): boolean {
  return (
    (states === undefined || states.includes(row.state)) &&
    (drift !== true || row.drift) &&
    (q === '' || row.id.includes(q))
  )
}

/** The group of a component: its set or flag if it is an entry, otherwise its type. */
export function groupIdOf(id: string): string {
  const { type, key } = splitId(id as ComponentId)
  return type === 'config_entry' ? `entries ${key.slice(0, key.indexOf('.'))}` : type
}

/** Above this number of ids, a push names its exceptions instead if they are fewer. */
const most = 10_000

/** The selection of a push: empty if no tick was changed. */
export function pickOf(
  ticks: Ticks,
  rows: readonly Differing[],
): Pick<PushRequest, 'ids' | 'except' | 'also'> {
  if (isUntouched(ticks)) return {}
  const ids: string[] = []
  const except: string[] = []
  const also: string[] = []
  for (const row of rows) {
    const [on, byDefault] = [isTicked(ticks, row), isPushedByDefault(row)]
    if (on) ids.push(row.id)
    if (on && !byDefault) also.push(row.id)
    if (!on && byDefault) except.push(row.id)
  }
  return ids.length > most && except.length + also.length < ids.length ? { except, also } : { ids }
}
