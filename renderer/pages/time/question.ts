// The question of the time machine in an address: a set, a key, a viewer, two points in time.
import { parseCivilDate } from '#kernel/dates/civil-date.ts'
import type { TimePoint } from '../../api/points.ts'
import { parseGenerationNumber } from '../../text/generation-number.ts'
import { emptyQuestion, scopeInputs, type ScopeInput } from '../playground/question.ts'

export const views = ['map', 'list', 'set'] as const
export type TimeView = (typeof views)[number]
export type Side = 'a' | 'b'

/** As typed; the page fills in empty parts. */
export interface TypedPoint {
  generation: string
  asOf: string
}

export interface TimeQuestion {
  set: string
  key: string
  scope: Record<ScopeInput, string>
  a: TypedPoint
  b: TypedPoint
  view: TimeView
  /** The stored result that is shown with it. */
  result: string
}

type Query = Record<string, unknown>

/** Reads `/time/<set>?key=…&a=<generation>@<day>&b=…`. */
export function timeQuestionFrom(set: unknown, query: Query): TimeQuestion {
  const text = (name: string): string => (typeof query[name] === 'string' ? query[name] : '')
  const { scope } = emptyQuestion()
  for (const name of scopeInputs) scope[name] = text(name)
  const view = views.find((each) => each === text('view')) ?? 'map'
  return {
    ...{ set: typeof set === 'string' ? set : '', key: text('key'), scope, view, result: text('result') },
    ...{ a: typedPoint(text('a')), b: typedPoint(text('b')) },
  }
}

export function timeAddress({ set, key, scope, a, b, view, result }: TimeQuestion): {
  path: string
  query: Record<string, string>
} {
  const given = { key, ...scope, a: pointText(a), b: pointText(b), view: view === 'map' ? '' : view, result }
  const query = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''))
  return { path: set === '' ? '/time' : `/time/${encodeURIComponent(set)}`, query }
}

function typedPoint(text: string): TypedPoint {
  const [generation = '', asOf = ''] = text.split('@')
  return { generation, asOf }
}

function pointText({ generation, asOf }: TypedPoint): string {
  return asOf === '' ? generation : `${generation}@${asOf}`
}

/** The typed point, with `usual` for its empty parts; null if it cannot be read. */
export function pointOf(
  { generation, asOf }: TypedPoint,
  usual: TimePoint,
  dated: boolean,
): TimePoint | null {
  const at = generation === '' ? usual.generation : parseGenerationNumber(generation)
  if (at === null) return null
  if (!dated) return { generation: at, asOf: null }
  const day = asOf === '' ? usual.asOf : parseCivilDate(asOf)
  return day === null ? null : { generation: at, asOf: day }
}

export function toTypedPoint({ generation, asOf }: TimePoint): TypedPoint {
  return { generation: String(generation), asOf: asOf ?? '' }
}
