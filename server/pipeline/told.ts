// What a plan tells its author: nothing of what they may not see. Every door shows changes through here.
import {
  afterOf,
  beforeOf,
  changeWords,
  vagueBudget,
  type Change,
  type ValueChange,
} from '#kernel/change/index.ts'
import type { Component } from '#kernel/components/body-types.ts'
import { idOf, isComponentType, isEntryId, splitId, type ComponentId } from '#kernel/components/component.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import type { Finding } from '#kernel/errors/finding.ts'
import type { ActorSight, Denial } from '../access/index.ts'
import type { ChangeRow } from './request.ts'

export const hiddenWords = 'hidden from you'

/** Who is told of a change list: its author, who knows what they wrote, or somebody else. */
export interface Listener {
  /** Null where everything is shown. */
  sight: ActorSight | null
  author: boolean
}

export const nobodyWrote: ReadonlySet<string> = new Set()

/** A change as it may be shown: null for what is not there, and for what is hidden. */
export function told({ change, hidden }: Pick<ChangeRow, 'change' | 'hidden'>): {
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

/** What is hidden of a change; `given`: the author wrote what it leads to. */
export function hiddenOf(change: Change, sight: ActorSight | null, given: boolean): ChangeRow['hidden'] {
  const before = beforeOf(change) as Component | null
  if (sight === null || before === null || sight.visibility.component(before)) return undefined
  return given || change.kind === 'removed' ? 'before' : 'both'
}

export function rowOf(
  change: Change,
  view: ComponentView,
  lacks: string[],
  hidden: ChangeRow['hidden'],
): ChangeRow {
  const words = changeWords(change, view)
  if (hidden === undefined) return { change, words, lacks }
  const after = hidden === 'both' ? hiddenWords : words.after
  return { change, words: { ...words, before: hiddenWords, after }, lacks, hidden }
}

/** Whether a component's very existence is hidden. */
export function unknownTo(sight: ActorSight | null, id: string): boolean {
  // Asked for each of a hundred thousand changes.
  if (sight === null || sight.shapes) return false
  const set = setOfId(id)
  return set !== null && !sight.visibility.definition(set)
}

/**
 * The changes of a list that its author is shown: what they wrote, and what follows from it without touching anything
 * that is hidden from them.
 */
export function changesListedFor(
  changes: readonly Change[],
  sight: ActorSight | null,
  wrote: ReadonlySet<string>,
): readonly Change[] {
  if (sight === null) return changes
  const seen = new Map<string, boolean>()
  const isHidden = (change: Change): boolean => {
    const before = beforeOf(change) as Component | null
    const set = before === null ? null : setOfId(idOf(before))
    if (set === null) return unknownTo(sight, change.id)
    const name = `${before!.type === 'config_entry' ? 'values' : 'definition'} ${set}`
    if (!seen.has(name)) seen.set(name, sight.visibility.component(before!))
    return !seen.get(name)! || unknownTo(sight, change.id)
  }
  return changes.filter((change) => wrote.has(change.id) || !isHidden(change))
}

/** The changes of somebody else's list that a person is shown. What it adds is not hidden by a set that is not there yet. */
export function changesShownTo(changes: readonly Change[], sight: ActorSight | null): readonly Change[] {
  if (sight === null) return changes
  // Of sets and flags that the list adds: null; of those that it renames: their key until now.
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
    // A key that the list does not free, and that was there, belonged to a different component when it was written.
    if (change.kind === 'added' && (freed.has(key) || !sight.has(key))) until.set(key, null)
    if (change.kind === 'renamed') until.set(key, splitId(change.from).key)
  }
  const shown = (id: ComponentId): boolean => {
    const set = setOfId(id)
    const now = set === null || !until.has(set) ? set : until.get(set)!
    if (now === null) return true
    return isEntryId(id) ? sight.visibility.values(now) : sight.visibility.definition(now)
  }
  return changes.filter((change) => shown(change.id) && (change.kind !== 'renamed' || shown(change.from)))
}

/** Findings without what they would tell of sets and entries that are not shown; `given`: what the author wrote. */
export function toldFindings(
  findings: readonly Finding[],
  sight: ActorSight | null,
  given: ReadonlySet<string>,
): Finding[] {
  if (sight === null) return [...findings]
  return findings.map((found) => {
    const finding = found.code === 'deploy.slice_budget' ? vagueBudget(found) : found
    return isToldVaguely(finding, sight, given)
      ? vagueFinding(finding, sight)
      : withoutRelated(finding, sight, given)
  })
}

/**
 * The same for the author of the list, who chose what it asks of hidden entries: a code, a warning or a number of findings
 * would each tell more of them than that the list cannot be applied.
 */
export function toldToAuthor(
  findings: readonly Finding[],
  sight: ActorSight | null,
  wrote: ReadonlySet<string>,
): Finding[] {
  if (sight === null) return [...findings]
  const isVague = (finding: Finding): boolean => isToldVaguely(finding, sight, wrote)
  const vague = findings.filter((finding) => isVague(finding) && finding.severity === 'error')
  const once = new Map(
    vague.map((finding) => {
      const told = { ...vagueFinding(finding, sight), code: 'access.hidden' }
      return [told.component, told]
    }),
  )
  return [
    ...toldFindings(
      findings.filter((finding) => !isVague(finding)),
      sight,
      wrote,
    ),
    ...once.values(),
  ]
}

function isToldVaguely({ component }: Finding, sight: ActorSight, given: ReadonlySet<string>): boolean {
  return !given.has(component) && isHiddenFrom(sight, component)
}

function vagueFinding({ severity, code, component }: Finding, sight: ActorSight): Finding {
  const told = { severity, code, path: '', related: [] }
  if (unknownTo(sight, component))
    return {
      ...told,
      component: '',
      message: 'Something that you may not see stands against this change list.',
    }
  const set = setOfId(component)!
  const message = `An entry of ${set}, whose values are hidden from you, does not hold with this change list.`
  return { ...told, component: `config_set/${set}`, message }
}

function withoutRelated(finding: Finding, sight: ActorSight, given: ReadonlySet<string>): Finding {
  const related = finding.related.filter(
    ({ component }) => given.has(component) || !isHiddenFrom(sight, component),
  )
  if (related.length === finding.related.length) return finding
  // The message names what was left out.
  const { severity, code, component, path } = finding
  const message = `${component} cannot change like this, because of something that you may not see.`
  return { severity, code, component, path, message, related }
}

export interface Raised {
  findings: readonly Finding[]
  denials: readonly Denial[]
}

/**
 * A list whose author lacks a permission for something that they wrote or see never applies, so what it would do to what is
 * hidden is not told. Everybody may plan any list, and could otherwise guess hidden values until a finding says yes.
 *
 * @param isRefused whether something else than `denials` refuses the list
 */
export function withoutHiddenIfRefused(
  { findings, denials }: Raised,
  sight: ActorSight | null,
  given: ReadonlySet<string>,
  isRefused: boolean,
): Raised {
  if (sight === null) return { findings, denials }
  const shown = (id: string): boolean => given.has(id) || !isHiddenFrom(sight, id)
  const shownDenials = denials.filter(({ id }) => shown(id))
  if (!isRefused && shownDenials.length === 0) return { findings, denials }
  const isShown = ({ component, related }: Finding): boolean =>
    shown(component) && related.every((each) => shown(each.component))
  return { findings: findings.filter(isShown), denials: shownDenials }
}

/** Denials by what may be named; where nothing is left of them, one that names nothing. */
export function toldDenials(
  denials: readonly Denial[],
  sight: ActorSight | null,
  given: ReadonlySet<string>,
  actor = sight?.user,
): Denial[] {
  const told = denials.flatMap((denial) => {
    if (given.has(denial.id)) return [denial]
    return unknownTo(sight, denial.id) ? [] : [withoutEntry(denial, sight, actor)]
  })
  // Nor is it told how many entries there are.
  const shown = [...new Map(told.map((denial) => [`${denial.id} ${denial.permission}`, denial])).values()]
  if (shown.length > 0 || denials.length === 0) return shown
  const [{ permission }] = denials as [Denial]
  const named = permission.startsWith('edit:') ? 'config.author' : permission
  const who = actor === sight?.user ? 'they' : sight?.user
  const message = `${actor} may not do this: it reaches something that ${who} may not see.`
  return [{ id: `user/${actor}` as ComponentId, permission: named, message }]
}

/** Whether a component may not be named: also an entry of a set that shows its definition and hides its values. */
function isHiddenFrom(sight: ActorSight, id: string): boolean {
  const set = isEntryId(id) ? setOfId(id) : null
  return unknownTo(sight, id) || (set !== null && !sight.visibility.values(set))
}

/** Of an entry whose values are hidden, no more than its set is named. */
function withoutEntry(denial: Denial, sight: ActorSight | null, actor: string | undefined): Denial {
  const set = isEntryId(denial.id) ? setOfId(denial.id) : null
  if (sight === null || set === null || sight.visibility.values(set)) return denial
  const message = `${actor} needs the permission ${denial.permission}: this changes entries of ${set}, whose values are ${hiddenWords}.`
  return { ...denial, id: `config_set/${set}`, message }
}

function setOfId(id: string): string | null {
  const type = id.split('/', 1)[0]!
  if (!isComponentType(type)) return null
  const { key } = splitId(id as ComponentId)
  if (type === 'config_entry') return key.split('.')[0]!
  return type === 'config_set' || type === 'feature_flag' ? key : null
}
