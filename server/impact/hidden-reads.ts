// Which values of a change list are computed from configuration that the reader of its impact cannot see.
import type { SetSlice } from '#kernel/config/index.ts'
import type { RecordSnapshot, Shape } from '#kernel/records/index.ts'
import type { Viewer } from '../access/index.ts'

export interface HiddenReads {
  candidate: RecordSnapshot
  /** Whether a hidden value was read since the last call. */
  wasRead(): boolean
  /** Whether a value is bound to a hidden set, even if it has not read it. */
  isBound(shape: Shape): boolean
}

/**
 * Formulas that the list changes could reveal values that its reader cannot see, even by their number. Records whose
 * computation reads such values are only counted.
 */
export function hiddenReads(candidate: RecordSnapshot, viewer: Viewer | null): HiddenReads {
  if (viewer === null) return { candidate, wasRead: () => false, isBound: () => false }
  let isRead = false
  const isHidden = (set: string): boolean => viewer.has(set) && !viewer.visibility.canSeeValues(set)
  const { sets } = candidate.slice
  const get = (set: string): SetSlice | undefined => {
    const slice = sets.get(set)
    if (slice !== undefined && isHidden(set)) isRead = true
    return slice
  }
  const watched = new Proxy(sets, {
    get: (target, name) => {
      if (name === 'get') return get
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })
  return {
    candidate: { ...candidate, slice: { ...candidate.slice, sets: watched } },
    wasRead: () => {
      const was = isRead
      isRead = false
      return was
    },
    isBound: ({ bindings }) =>
      [...bindings.values()].some(({ config }) => Object.keys(config).some(isHidden)),
  }
}
