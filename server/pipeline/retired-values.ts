// Values of a value set that a change list removes or makes inactive while records have them. The records keep them.
import type { Candidate } from '#kernel/change/index.ts'
import { componentId, splitId, type ComponentId } from '#kernel/components/component.ts'
import type { LocalObjectBody } from '#kernel/components/object/body.ts'
import { isComputed } from '#kernel/components/object/is-computed.ts'
import { pointer } from '#kernel/components/pointer.ts'
import { valuesByKey } from '#kernel/components/value-set/members.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import type { Finding } from '#kernel/errors/finding.ts'
import type { ReferenceGraph } from '#kernel/graph/index.ts'
import { fieldKey, type ObjectId } from '#kernel/records/index.ts'
import type { OrgReader } from '../ports/org-store.ts'
import { idsAfter, type CycleCheck } from './bound-cycles.ts'

type Reader = Pick<OrgReader, 'identities' | 'recordFacts'>
type ObjectField = LocalObjectBody['fields'][number]

interface RetiredInput extends CycleCheck {
  candidate: Pick<Candidate, 'view' | 'changes'>
  baseView: ComponentView
  /** Of the candidate. */
  graph: ReferenceGraph
}

export function retiredValues(reader: Reader, input: RetiredInput): Finding[] {
  const { base, candidate, baseView } = input
  const keys = affectedObjects(input)
  if (keys.length === 0 || !reader.recordFacts.any()) return []
  const idsOf = idsAfter(reader, input)
  return keys.flatMap((key): Finding[] => {
    const id = componentId('object', key)
    const change = candidate.changes.find((each) => each.id === id)
    const idBefore = change?.kind === 'renamed' ? change.from : id
    const object = reader.identities.at(base, idBefore) as ObjectId | undefined
    if (object === undefined) return []
    const keyBefore = splitId(idBefore).key
    const [ids, idsBefore] = [idsOf(key), reader.identities.fields(base, keyBefore)]
    const fieldsBefore = fieldsOf(baseView, keyBefore)
    return fieldsOf(candidate.view, key).flatMap((field, index): Finding[] => {
      const fieldId = ids.get(field.key)
      if (fieldId === undefined || isComputed(field)) return []
      const name = fieldKey(idsBefore, fieldId)
      const before = fieldsBefore.find((each) => each.key === name)
      const retired = before === undefined ? [] : retiredMembers(before, baseView, field, candidate.view)
      if (retired.length === 0) return []
      const counts = reader.recordFacts.countEach(object, fieldId, retired)
      return retired.flatMap((member) => {
        const count = counts.get(member) ?? 0
        return count === 0 ? [] : [finding({ id, index, field, member, count }, input)]
      })
    })
  })
}

/** The objects that the list changes, or whose fields take their values from a set that it changes. */
function affectedObjects({ candidate: { changes }, graph }: RetiredInput): string[] {
  const ids = changes.flatMap(({ id }): ComponentId[] => {
    const { type } = splitId(id)
    return type === 'object' ? [id] : type === 'value_set' ? [...(graph.incoming.get(id) ?? [])] : []
  })
  const keys = ids.map(splitId).flatMap(({ type, key }) => (type === 'object' ? [key] : []))
  return [...new Set(keys)].toSorted()
}

function fieldsOf(view: ComponentView, object: string): readonly ObjectField[] {
  const body = view.get('object', object)?.body
  return body?.storage === 'local' ? body.fields : []
}

/** The values that a field could have before, and that nobody can choose now. */
function retiredMembers(
  before: ObjectField,
  baseView: ComponentView,
  after: ObjectField,
  view: ComponentView,
): string[] {
  const now = membersOf(view, after)
  return [...membersOf(baseView, before).values()].flatMap(({ key, active }) =>
    !now.has(key) || (active && !now.get(key)!.active) ? [key] : [],
  )
}

function membersOf(view: ComponentView, { valueSet }: ObjectField): ReturnType<typeof valuesByKey> {
  const set = valueSet === undefined ? undefined : view.get('value_set', valueSet)
  return set === undefined ? new Map() : valuesByKey(set)
}

interface Held {
  id: ComponentId
  index: number
  field: ObjectField
  member: string
  count: number
}

/** The finding is on the value set if the list changes it, and otherwise on the field that takes a different one. */
function finding({ id, index, field, member, count }: Held, { candidate }: RetiredInput): Finding {
  const { key, label = key, valueSet = '' } = field
  const object = splitId(id).key
  const set = componentId('value_set', valueSet)
  const isOfSet = candidate.changes.some((change) => change.id === set && change.kind !== 'added')
  const at = candidate.view.get('value_set', valueSet)?.body.values.findIndex((each) => each.key === member)
  const isKept = at !== undefined && at >= 0
  const inSet = isKept ? pointer('body', 'values', at, 'active') : '/body/values'
  const holders = count === 1 ? '1 record' : `${count.toLocaleString('en')} records`
  const outcome = isKept
    ? 'It can no longer be chosen; records that have it keep it.'
    : 'It is kept, but a save that sends it again is refused. Keep it as an inactive value, or change the records first.'
  return {
    ...{ severity: 'warning', code: 'object.values_retired' },
    component: isOfSet ? set : id,
    path: isOfSet ? inSet : pointer('body', 'fields', index, 'valueSet'),
    message: `${holders} of ${object} ${count === 1 ? 'has' : 'have'} the value "${member}" in ${label}. ${outcome}`,
    related: isOfSet ? [{ component: id, path: pointer('body', 'fields', index) }] : [],
    facts: { records: count, object, field: key, member },
  }
}
