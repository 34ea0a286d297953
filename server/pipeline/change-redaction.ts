// What a plan shows its author: nothing that they cannot see. All changes that a plan shows pass through here.
import {
  afterOf,
  beforeOf,
  describeChange,
  redactBudgetFinding,
  type Change,
  type ChangeDescription,
  type ValueChange,
} from '#kernel/change/index.ts'
import type { Component } from '#kernel/components/body-types.ts'
import { idOf, isComponentType, isEntryId, splitId, type ComponentId } from '#kernel/components/component.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import type { Finding } from '#kernel/errors/finding.ts'
import type { Viewer, Denial } from '../access/index.ts'
import type { ChangeRow } from './request.ts'

export const hiddenLabel = 'hidden from you'

/** The user to whom a change list is shown: its author, who knows what they wrote, or another user. */
export interface Audience {
  /** Null if everything is shown. */
  viewer: Viewer | null
  isAuthor: boolean
}

export const noWrittenIds: ReadonlySet<string> = new Set()

/** A change as it can be shown: null for what does not exist, and for what is hidden. */
export function redactChange({ change, hidden }: Pick<ChangeRow, 'change' | 'hidden'>): {
  before: Component | null
  after: Component | null
  values: readonly ValueChange[]
} {
  return {
    before: hidden === undefined ? (beforeOf(change) as Component | null) : null,
    after: hidden === 'both' ? null : (afterOf(change) as Component | null),
    values: hidden !== undefined || !('values' in change) ? [] : change.values,
  }
}

/** What is hidden of a change; `isOwn`: whether the author wrote its result. */
export function hiddenOf(change: Change, viewer: Viewer | null, isOwn: boolean): ChangeRow['hidden'] {
  const before = beforeOf(change) as Component | null
  if (viewer === null || before === null || viewer.visibility.canSeeComponent(before)) return undefined
  return isOwn || change.kind === 'removed' ? 'before' : 'both'
}

export function rowOf(
  change: Change,
  view: ComponentView,
  lacks: string[],
  hidden: ChangeRow['hidden'],
): ChangeRow {
  const row = {
    change,
    // Not every reader of a long list needs the words.
    get words() {
      return redactWords(describeChange(change, view), hidden)
    },
    lacks,
  }
  return hidden === undefined
    ? row
    : Object.defineProperty(row, 'hidden', { value: hidden, enumerable: true })
}

function redactWords(words: ChangeDescription, hidden: ChangeRow['hidden']): ChangeDescription {
  if (hidden === undefined) return words
  return { ...words, before: hiddenLabel, after: hidden === 'both' ? hiddenLabel : words.after }
}

/** Whether even the existence of a component is hidden. */
export function isUnknownTo(viewer: Viewer | null, id: string): boolean {
  // Called for each of a hundred thousand changes.
  if (viewer === null || viewer.canSeeAllDefinitions) return false
  const set = setOfId(id)
  return set !== null && !viewer.visibility.canSeeDefinition(set)
}

/**
 * The changes of a list that are shown to its author: what they wrote, and its effects on what is not hidden from them.
 */
export function changesForAuthor(
  changes: readonly Change[],
  viewer: Viewer | null,
  writtenIds: ReadonlySet<string>,
): readonly Change[] {
  if (viewer === null) return changes
  const seen = new Map<string, boolean>()
  const isHidden = (change: Change): boolean => {
    const before = beforeOf(change) as Component | null
    const set = before === null ? null : setOfId(idOf(before))
    if (set === null) return isUnknownTo(viewer, change.id)
    const name = `${before!.type === 'config_entry' ? 'values' : 'definition'} ${set}`
    if (!seen.has(name)) seen.set(name, viewer.visibility.canSeeComponent(before!))
    return !seen.get(name)! || isUnknownTo(viewer, change.id)
  }
  return changes.filter((change) => writtenIds.has(change.id) || !isHidden(change))
}

/**
 * The changes of another user's list that a viewer is shown. What it adds is not hidden by a set that does not exist
 * yet.
 */
export function changesForViewer(changes: readonly Change[], viewer: Viewer | null): readonly Change[] {
  if (viewer === null) return changes
  // Maps sets and flags that the list adds to null, and those that it renames to their current key.
  const until = new Map<string, string | null>()
  const freed = new Set(
    changes.flatMap((change) => {
      if (change.kind === 'renamed') return [splitId(change.from).key]
      return change.kind === 'removed' ? [splitId(change.id).key] : []
    }),
  )
  for (const change of changes) {
    const { type, key } = splitId(change.id)
    if (type !== 'config_set' && type !== 'feature_flag') continue
    // A key that the list does not free, and that existed, belonged to another component when the list was written.
    if (change.kind === 'added' && (freed.has(key) || !viewer.has(key))) until.set(key, null)
    if (change.kind === 'renamed') until.set(key, splitId(change.from).key)
  }
  const isVisible = (id: ComponentId): boolean => {
    const set = setOfId(id)
    const now = set === null || !until.has(set) ? set : until.get(set)!
    if (now === null) return true
    return isEntryId(id) ? viewer.visibility.canSeeValues(now) : viewer.visibility.canSeeDefinition(now)
  }
  return changes.filter(
    (change) => isVisible(change.id) && (change.kind !== 'renamed' || isVisible(change.from)),
  )
}

/** Findings without what they would reveal of sets and entries that are not shown; `writtenIds`: what the author wrote. */
export function redactFindings(
  findings: readonly Finding[],
  viewer: Viewer | null,
  writtenIds: ReadonlySet<string>,
): Finding[] {
  if (viewer === null) return [...findings]
  return findings.map((found) => {
    const finding = found.code === 'deploy.slice_budget' ? redactBudgetFinding(found) : found
    return isRedacted(finding, viewer, writtenIds)
      ? redactedFindingOf(finding, viewer)
      : withoutRelated(finding, viewer, writtenIds)
  })
}

/**
 * The same for the author of the list, who chose which hidden entries it probes: a code, a warning or a number of
 * findings would each reveal more than the fact that the list cannot be applied.
 */
export function redactFindingsForAuthor(
  findings: readonly Finding[],
  viewer: Viewer | null,
  writtenIds: ReadonlySet<string>,
): Finding[] {
  if (viewer === null) return [...findings]
  const isVague = (finding: Finding): boolean => isRedacted(finding, viewer, writtenIds)
  const vague = findings.filter((finding) => isVague(finding) && finding.severity === 'error')
  const once = new Map(
    vague.map((finding) => {
      const redacted = { ...redactedFindingOf(finding, viewer), code: 'access.hidden' }
      return [redacted.component, redacted]
    }),
  )
  return [
    ...redactFindings(
      findings.filter((finding) => !isVague(finding)),
      viewer,
      writtenIds,
    ),
    ...once.values(),
  ]
}

function isRedacted({ component }: Finding, viewer: Viewer, writtenIds: ReadonlySet<string>): boolean {
  return !writtenIds.has(component) && isHiddenFrom(viewer, component)
}

function redactedFindingOf({ severity, code, component }: Finding, viewer: Viewer): Finding {
  const base = { severity, code, path: '', related: [] }
  if (isUnknownTo(viewer, component))
    return {
      ...base,
      component: '',
      message: 'Something that you cannot see prevents this change list from being applied.',
    }
  const set = setOfId(component)!
  const message = `An entry of ${set}, whose values are hidden from you, is not valid with this change list.`
  return { ...base, component: `config_set/${set}`, message }
}

function withoutRelated(finding: Finding, viewer: Viewer, writtenIds: ReadonlySet<string>): Finding {
  const related = finding.related.filter(
    ({ component }) => writtenIds.has(component) || !isHiddenFrom(viewer, component),
  )
  if (related.length === finding.related.length) return finding
  // The message names what was omitted.
  const { severity, code, component, path } = finding
  const message = `${component} cannot be changed this way, because of something that you cannot see.`
  return { severity, code, component, path, message, related }
}

export interface Assessment {
  findings: readonly Finding[]
  denials: readonly Denial[]
}

/**
 * A list whose author lacks a permission for something that they wrote or see can never be applied, so its effects on
 * hidden content are not reported. Any user can plan any list, and could otherwise guess hidden values until a finding
 * confirms one.
 *
 * @param isRefused whether something other than `denials` refuses the list
 */
export function hideConsequencesOfRefusal(
  { findings, denials }: Assessment,
  viewer: Viewer | null,
  writtenIds: ReadonlySet<string>,
  isRefused: boolean,
): Assessment {
  if (viewer === null) return { findings, denials }
  const isVisible = (id: string): boolean => writtenIds.has(id) || !isHiddenFrom(viewer, id)
  const shownDenials = denials.filter(({ id }) => isVisible(id))
  if (!isRefused && shownDenials.length === 0) return { findings, denials }
  const isShown = ({ component, related }: Finding): boolean =>
    isVisible(component) && related.every((each) => isVisible(each.component))
  return { findings: findings.filter(isShown), denials: shownDenials }
}

/** Denials in terms of what may be named; if none are left, one that names nothing. */
export function redactDenials(
  denials: readonly Denial[],
  viewer: Viewer | null,
  writtenIds: ReadonlySet<string>,
  actor = viewer?.user,
): Denial[] {
  const visibleDenials = denials.flatMap((denial) => {
    if (writtenIds.has(denial.id)) return [denial]
    return isUnknownTo(viewer, denial.id) ? [] : [withoutEntry(denial, viewer, actor)]
  })
  // The number of entries is not revealed either.
  const shown = [
    ...new Map(visibleDenials.map((denial) => [`${denial.id} ${denial.permission}`, denial])).values(),
  ]
  if (shown.length > 0 || denials.length === 0) return shown
  const [{ permission }] = denials as [Denial]
  const named = permission.startsWith('edit:') ? 'config.author' : permission
  const who = actor === viewer?.user ? 'they' : viewer?.user
  const message = `${actor} cannot do this: it affects something that ${who} cannot see.`
  return [{ id: `user/${actor}` as ComponentId, permission: named, message }]
}

/** Whether a component must not be named: also an entry of a set that shows its definition and hides its values. */
function isHiddenFrom(viewer: Viewer, id: string): boolean {
  const set = isEntryId(id) ? setOfId(id) : null
  return isUnknownTo(viewer, id) || (set !== null && !viewer.visibility.canSeeValues(set))
}

/** For an entry whose values are hidden, only its set is named. */
function withoutEntry(denial: Denial, viewer: Viewer | null, actor: string | undefined): Denial {
  const set = isEntryId(denial.id) ? setOfId(denial.id) : null
  if (viewer === null || set === null || viewer.visibility.canSeeValues(set)) return denial
  const message = `${actor} needs the permission ${denial.permission}: this changes entries of ${set}, whose values are ${hiddenLabel}.`
  return { ...denial, id: `config_set/${set}`, message }
}

function setOfId(id: string): string | null {
  const type = id.split('/', 1)[0]!
  if (!isComponentType(type)) return null
  const { key } = splitId(id as ComponentId)
  if (type === 'config_entry') return key.split('.')[0]!
  return type === 'config_set' || type === 'feature_flag' ? key : null
}
