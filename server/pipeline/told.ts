// What a plan tells its author: nothing of what they may not see. Every door shows changes through here.
import { afterOf, beforeOf, changeWords, type Change, type ValueChange } from '#kernel/change/index.ts'
import type { Component } from '#kernel/components/body-types.ts'
import { isComponentType, splitId, type ComponentId } from '#kernel/components/component.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import type { Finding } from '#kernel/errors/finding.ts'
import type { ActorSight } from '../access/index.ts'
import type { Denial } from './parts.ts'
import type { ChangeRow } from './request.ts'

export const hiddenWords = 'hidden from you'

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

/** Findings without what they would tell of sets and entries that are not shown; `given`: what the author wrote. */
export function toldFindings(
  findings: readonly Finding[],
  sight: ActorSight | null,
  given: ReadonlySet<string>,
): Finding[] {
  if (sight === null) return [...findings]
  return findings.map((finding) => {
    const related = finding.related.filter(
      ({ component }) => given.has(component) || !unknownTo(sight, component),
    )
    const unknown = !given.has(finding.component) && unknownTo(sight, finding.component)
    if (!unknown && related.length < finding.related.length) {
      // The message names what was left out.
      const { severity, code, component, path } = finding
      const message = `${component} cannot be so: something that you may not see stands against it.`
      return { severity, code, component, path, message, related }
    }
    if (given.has(finding.component)) return finding
    const { severity, code } = finding
    if (unknown) {
      const message = 'Something that you may not see stands against this change list.'
      return { severity, code, component: '', path: '', message, related: [] }
    }
    const set = finding.component.startsWith('config_entry/') ? setOfId(finding.component) : null
    if (set === null || sight.visibility.values(set)) return finding
    const message = `An entry of ${set}, whose values are hidden from you, does not hold with this change list.`
    return { severity, code, component: `config_set/${set}`, path: '', message, related: [] }
  })
}

/** Denials by what may be named; where nothing is left of them, one that names nothing. */
export function toldDenials(
  denials: readonly Denial[],
  sight: ActorSight | null,
  given: ReadonlySet<string>,
): Denial[] {
  const shown = denials.filter(({ id }) => given.has(id) || !unknownTo(sight, id))
  if (shown.length > 0 || denials.length === 0) return shown
  const [{ permission }] = denials as [Denial]
  const named = permission.startsWith('edit:') ? 'config.author' : permission
  const message = `${sight!.user} may not do this: it reaches something that they may not see.`
  return [{ id: `user/${sight!.user}` as ComponentId, permission: named, message }]
}

function setOfId(id: string): string | null {
  const type = id.split('/', 1)[0]!
  if (!isComponentType(type)) return null
  const { key } = splitId(id as ComponentId)
  if (type === 'config_entry') return key.split('.')[0]!
  return type === 'config_set' || type === 'feature_flag' ? key : null
}
