// Needs along the reference graph: a reference needs its new target, and a removal needs the changes of its referrers.
import type { Component } from '../../components/body-types.ts'
import { splitId, type ComponentId } from '../../components/component.ts'
import { objectFieldOf } from '../../components/object/field-named.ts'
import { afterOf, beforeOf, type Change } from '../change.ts'
import { isSameContent } from '../value-diff.ts'
import { displayName, type ChangeIndex } from './change-index.ts'
import type { FoundNeed } from './need.ts'

type Changed = Extract<Change, { before: unknown; after: unknown }>

export function findNewTargetNeeds(change: Change, ground: ChangeIndex): FoundNeed[] {
  return ground.edgesOf(change).flatMap(({ to, path, member, origin }): FoundNeed[] => {
    const target = to === change.id ? undefined : ground.changeOf(to)
    if (target === undefined || target.kind === 'removed') return []
    const verb = origin === 'expression' ? 'reads' : 'names'
    const need = (kind: FoundNeed['kind'], reason: string): FoundNeed[] => [{ id: to, kind, reason, path }]
    if (target.kind === 'added')
      return need('names_new', `${displayName(change.id)} ${verb} ${displayName(to)}, which is new.`)
    if (target.kind === 'renamed')
      return need(
        'names_new',
        `${displayName(change.id)} ${verb} ${displayName(to)}, which is called ${splitId(target.from).key} until its rename.`,
      )
    if (member !== undefined && fieldMoved(target, member))
      return need(
        'reads_field',
        `${displayName(change.id)} ${verb} ${member} of ${displayName(to)}, which is new or changes its type there.`,
      )
    if (signatureMoved(target))
      return need(
        'signature',
        `${displayName(change.id)} calls ${displayName(to)}, whose parameters or result change.`,
      )
    return []
  })
}

/** A function with a new signature needs its callers in the list; otherwise they would call the old one. */
export function findCallerNeeds(change: Change, ground: ChangeIndex): FoundNeed[] {
  if (change.kind === 'removed' || change.kind === 'added' || !signatureMoved(change)) return []
  return [...ground.referencesTo(change.id)].flatMap(({ from }): FoundNeed[] =>
    ground.changeOf(from) === undefined
      ? []
      : [
          {
            id: from,
            kind: 'signature',
            reason: `${displayName(from)} calls ${displayName(change.id)} with its new parameters or result.`,
          },
        ],
  )
}

/** A removed component or field needs the changes that stop referring to it. */
export function findReferrerNeeds(change: Change, ground: ChangeIndex): FoundNeed[] {
  if (change.kind === 'added' || change.kind === 'renamed') return []
  return [...ground.baseReferencesTo(change.id)].flatMap(({ from, edge }): FoundNeed[] => {
    const referrer = ground.changeOfBase(from)
    if (referrer === undefined || referrer.id === change.id) return []
    const { member, path } = edge
    const gone = change.kind === 'removed' || (member !== undefined && fieldMoved(change, member))
    if (!gone || (change.kind === 'removed' && stillNames(referrer, change.id, ground))) return []
    const what = change.kind === 'removed' ? displayName(change.id) : `${member} of ${displayName(change.id)}`
    const verb = change.kind === 'removed' ? 'is removed' : 'is removed or changes its type'
    const reason = `${what} ${verb}, and ${displayName(from)} refers to it until its own change is applied.`
    return [{ id: referrer.id, kind: 'still_named', reason, path }]
  })
}

function stillNames(referrer: Change, id: ComponentId, ground: ChangeIndex): boolean {
  return ground.edgesOf(referrer).some(({ to }) => to === id)
}

/** Reports whether a field was added, removed, or changed its type. */
function fieldMoved(change: Changed, member: string): boolean {
  const [before, after] = [fieldOf(beforeOf(change), member), fieldOf(afterOf(change), member)]
  return !isSameContent(before, after)
}

function fieldOf(component: Component | null, member: string): unknown {
  if (component?.type === 'config_set') {
    const field = component.body.fields.find(({ key }) => key === member)
    return field === undefined ? undefined : { type: field.type, valueSet: field.valueSet }
  }
  if (component?.type === 'object') {
    const field = objectFieldOf(component, member)
    if (field === undefined) return undefined
    const { type, references, valueSet, required } = field
    return { type, references, valueSet, required }
  }
  return null
}

function signatureMoved({ before, after }: Changed): boolean {
  if (before.type !== 'calc_function' || after.type !== 'calc_function') return false
  return !isSameContent([before.body.params, before.body.returns], [after.body.params, after.body.returns])
}
