// For whom a flag flips today, or a set that varies by user resolves differently.
import {
  flipsOf,
  scopeNamesOf,
  setLabel,
  type Flip,
  type FlipView,
  type Impact,
  type RenameIndex,
  type Subject,
} from '#kernel/change/index.ts'
import { viewerDependent } from '#kernel/components/scopes.ts'
import { canonicalLocale } from '#kernel/components/locale-tag.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import { lazySetSlice, type SetSlice } from '#kernel/config/index.ts'
import { dayOf, type CivilDate } from '#kernel/dates/civil-date.ts'
import type { UserRow } from '../ports/people.ts'
import { hiddenLabel } from '../pipeline/index.ts'
import {
  setVisibilityOf,
  wordsOf,
  type AffectedKey,
  type ImpactContext,
  type KeyCollector,
} from './resolution-views.ts'

export interface FlipContext extends ImpactContext {
  users: readonly UserRow[]
  environment: string
  today: CivilDate
}

/** Maximum number of names of subjects that one group shows. */
const maxNamedSubjects = 50

/** Adds the flips of one key at a time. */
export function collectFlips(context: FlipContext): KeyCollector<Impact['flips']> {
  const { base, view, renames, most } = context
  const today = dayOf(context.today)
  const list: Impact['flips'] = { items: [], total: 0 }
  const slices = new Map<string, { before: SetSlice | undefined; after: SetSlice | undefined }>()
  const add = ({ set, key }: AffectedKey): void => {
    const setVisibility = setVisibilityOf(set, context)
    if (!setVisibility.definition) return
    let sides = slices.get(set)
    if (sides === undefined)
      slices.set(set, (sides = { before: sliceIn(base, renames.setBefore(set)), after: sliceIn(view, set) }))
    const { before, after } = sides
    if (!varies(before) && !varies(after)) return
    for (const flip of flipsOf(set, key, before, after, subjectsOf(key, before, after, context), today)) {
      list.total += 1
      if (list.items.length < most) list.items.push(viewOf(flip, view, !setVisibility.values))
    }
  }
  return { list, add }
}

function sliceIn(view: ComponentView | null, set: string | null): SetSlice | undefined {
  if (set === null) return undefined
  const definition = view?.get('config_set', set) ?? view?.get('feature_flag', set)
  return definition === undefined ? undefined : lazySetSlice(definition, view!)
}

/** A flag, or a set that has a scope other than org. */
function varies(slice: SetSlice | undefined): boolean {
  return slice !== undefined && (slice.kind === 'feature_flag' || slice.chain.length > 1)
}

function* subjectsOf(
  key: string | null,
  before: SetSlice | undefined,
  after: SetSlice | undefined,
  context: FlipContext,
): Iterable<Subject> {
  const { renames } = context
  for (const subject of subjectsAfter(key, before, after, context))
    yield { pathBefore: renames.pathBefore(subject.path), ...subject }
}

/** Yields subjects under the names after the list. */
function* subjectsAfter(
  key: string | null,
  before: SetSlice | undefined,
  after: SetSlice | undefined,
  { users, environment, base, view, renames }: FlipContext,
): Iterable<Subject> {
  yield { kind: 'everyone', key: '', path: { environment } }
  const names = namesInLanes(key, before, after, renames)
  for (const app of names.app) yield { kind: 'app', key: app, path: { app, environment } }
  for (const locale of names.locale) yield { kind: 'locale', key: locale, path: { locale, environment } }
  for (const held of names.permission_set)
    yield { kind: 'permission_set', key: held, path: { permission_set: [held], environment } }
  for (const other of names.environment)
    yield { kind: 'environment', key: other, path: { environment: other } }
  const kinds = [...(before?.chain ?? []), ...(after?.chain ?? [])]
  const byViewer = kinds.some((kind) => viewerDependent[kind])
  if (!byViewer && before?.kind !== 'feature_flag' && after?.kind !== 'feature_flag') return
  for (const { key: user, permissionSets, locale } of users) {
    const tag = locale === null ? undefined : (canonicalLocale(locale) ?? locale)
    const own = { user, environment, ...(tag === undefined ? {} : { locale: tag }) }
    const held = permissionSets
      .map((set) => renames.keyAfter('permission_set', set))
      .filter((set) => view.has('permission_set', set))
    const heldBefore = permissionSets.filter((set) => base?.has('permission_set', set) === true)
    yield {
      kind: 'user',
      key: user,
      path: { ...own, permission_set: held.sort() },
      pathBefore: { ...own, permission_set: heldBefore.sort() },
    }
  }
}

/** The subjects of a key's entries, before and after the list, under the names after it. */
function namesInLanes(
  key: string | null,
  before: SetSlice | undefined,
  after: SetSlice | undefined,
  renames: RenameIndex,
): ReturnType<typeof scopeNamesOf> {
  const [was, is] = [scopeNamesOf(key, [before]), scopeNamesOf(key, [after])]
  const mergeNames = (a: readonly string[], b: readonly string[]): string[] =>
    [...new Set([...a, ...b])].sort()
  const now = (type: 'app' | 'permission_set'): string[] =>
    mergeNames(
      was[type].map((name) => renames.keyAfter(type, name)),
      is[type],
    )
  return {
    app: now('app'),
    permission_set: now('permission_set'),
    locale: mergeNames(was.locale, is.locale),
    environment: mergeNames(was.environment, is.environment),
  }
}

function viewOf(flip: Flip, view: ComponentView, hidden: boolean): FlipView {
  const { set, before, after, who } = flip
  return {
    ...flip,
    setLabel: setLabel(set, view),
    flag: view.has('feature_flag', set),
    ...(hidden ? { before: null, after: null } : {}),
    beforeWords: hidden ? hiddenLabel : wordsOf(set, before, view, 'org'),
    afterWords: hidden ? hiddenLabel : wordsOf(set, after, view, 'org'),
    who: { items: hidden ? [] : who.slice(0, maxNamedSubjects), total: who.length },
    hidden,
  }
}
