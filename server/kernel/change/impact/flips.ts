// The viewers for whom a change list changes a value today: users by their scope path, and anyone in an app, a
// language, an environment or with a permission set (docs/reference/resolution-and-dates.md).
import type { FieldValue } from '../../components/field-types.ts'
import type { ScopePath } from '../../components/scopes.ts'
import { resolveFast, type SetSlice } from '../../config/index.ts'
import type { DayNumber } from '../../dates/civil-date.ts'
import { isSameContent } from '../value-diff.ts'

export type FlipKind = 'everyone' | 'user' | 'permission_set' | 'locale' | 'app' | 'environment'

/** A possible viewer. */
export interface Subject {
  kind: FlipKind
  /** Empty for everyone. */
  key: string
  path: ScopePath
  /** The same path with the names before the change list, if the list renames any. */
  pathBefore?: ScopePath
}

type Values = Readonly<Record<string, FieldValue>>

/** One key of one set or flag, and the subjects for whom its value changes. */
export interface Flip {
  set: string
  key: string | null
  kind: FlipKind
  /** Null if none exists. */
  before: Values | null
  after: Values | null
  /** Keys of the subjects, ascending; a single empty text means everyone. */
  who: string[]
}

/**
 * Returns the subjects whose value of one key differs, grouped by the difference. `day` is today. A subject with the same
 * value as everyone is counted under everyone, unless it is a user.
 */
export function flipsOf(
  set: string,
  key: string | null,
  before: SetSlice | undefined,
  after: SetSlice | undefined,
  subjects: Iterable<Subject>,
  day: DayNumber,
): Flip[] {
  const flips = new Map<string, Flip>()
  const answers = new Map<string, { before: Values | null; after: Values | null }>()
  for (const { kind, key: who, path, pathBefore = path } of subjects) {
    const own = pathText(path, before, after)
    const seen = pathBefore === path ? own : `${own} ${pathText(pathBefore, before, after)}`
    let answer = answers.get(seen)
    if (answer === undefined)
      answers.set(
        seen,
        (answer = { before: valuesOf(before, key, pathBefore, day), after: valuesOf(after, key, path, day) }),
      )
    if (isSameContent(answer.before, answer.after)) continue
    const group = `${kind} ${JSON.stringify([answer.before, answer.after])}`
    const known = flips.get(group)
    if (known === undefined) flips.set(group, { set, key, kind, ...answer, who: [who] })
    else known.who.push(who)
  }
  for (const { who } of flips.values()) who.sort()
  return [...flips.values()]
}

function valuesOf(
  slice: SetSlice | undefined,
  key: string | null,
  path: ScopePath,
  day: DayNumber,
): Values | null {
  return slice === undefined ? null : (resolveFast(slice, key ?? '', path, day)?.values ?? null)
}

/** Subjects that differ only in scopes that neither side uses have the same value. */
function pathText(path: ScopePath, before: SetSlice | undefined, after: SetSlice | undefined): string {
  const kinds = new Set([...(before?.chain ?? []), ...(after?.chain ?? [])])
  const part = (kind: keyof ScopePath): unknown => (kinds.has(kind) ? (path[kind] ?? null) : null)
  return JSON.stringify([
    part('user'),
    part('permission_set'),
    part('locale'),
    part('app'),
    part('environment'),
  ])
}

/** Returns the names with entries at a narrower scope, on either side: the only ones that a change can affect. */
export function scopeNamesOf(
  key: string | null,
  slices: readonly (SetSlice | undefined)[],
): Record<'app' | 'locale' | 'permission_set' | 'environment', string[]> {
  const names = (kind: 'app' | 'locale' | 'permission_set' | 'environment'): string[] => {
    const scopeNames = new Set<string>()
    for (const slice of slices)
      for (const name of slice?.rowsByKey.get(key ?? '')?.[kind]?.keys() ?? []) scopeNames.add(name)
    return [...scopeNames].sort()
  }
  return {
    app: names('app'),
    locale: names('locale'),
    permission_set: names('permission_set'),
    environment: names('environment'),
  }
}
