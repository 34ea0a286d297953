// Points of time: the value of a key in a generation, as of a day.
import type { PointComparison, KeyHistoryView, TimePoint, PointResolution } from '#kernel/config/index.ts'
import type { ScopePath } from '#kernel/components/scopes.ts'
import { explain } from './evaluate.ts'
import { messageOf, post } from './request.ts'
import type { ExplainStep } from './wire.ts'

/** What is asked about: one key of a set for a viewer; the key of a singleton or a flag is null. */
export interface Subject {
  set: string
  key: string | null
  scope?: ScopePath | undefined
}

export interface ComparePointsRequest extends Omit<Subject, 'key'> {
  key?: string | null
  a: TimePoint
  b: TimePoint
  changed?: boolean
  limit?: number
  cursor?: string
}

export const comparePoints = (ask: ComparePointsRequest): Promise<PointComparison> =>
  post('/setup/v3/compare-points', ask)

export const fetchKeyMap = (subject: Subject, before?: number): Promise<KeyHistoryView> =>
  post('/setup/v3/key-map', { ...subject, before })

/** The value at one point, and how it was resolved. */
export interface PointRead {
  /** The name of the set in that generation. */
  name: string
  answer: PointResolution | null
  steps: ExplainStep[]
  digest: string | null
  /** Why no value was found; empty if there is one. */
  fault: string
}

/** Never throws: a point that cannot be read contains the reason. */
export async function readPoint({ set, key, scope }: Subject, point: TimePoint): Promise<PointRead> {
  let name = set
  try {
    const compared = await comparePoints({ set, key, scope, a: point, b: point, changed: false })
    name = compared.names.b
    const { steps, error, digest } = await explain({
      ...{ set: name, generation: point.generation, scope },
      ...(key === null ? {} : { key }),
      ...(point.asOf === null ? {} : { asOf: point.asOf }),
    })
    const answer = compared.keys[0]?.b ?? null
    return { name, answer, steps, digest, fault: error?.detail ?? '' }
  } catch (error) {
    return { name, answer: null, steps: [], digest: null, fault: messageOf(error) }
  }
}

export type {
  KeyComparison,
  PointComparison,
  KeyHistoryView,
  KeyHistoryRow,
  TimePoint,
  PointResolution,
} from '#kernel/config/index.ts'
