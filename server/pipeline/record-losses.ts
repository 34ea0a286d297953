// Changes that would lose values of records or subscriptions, or that stored records contradict.
import { componentId, type ComponentId } from '#kernel/components/component.ts'
import type { LocalObjectBody, ObjectBody } from '#kernel/components/object/body.ts'
import type { Change } from '#kernel/change/index.ts'
import type { Finding } from '#kernel/errors/finding.ts'
import type { FindingCode } from '#kernel/errors/finding-codes.ts'
import {
  earlierFields,
  nextFieldIds,
  type EarlierField,
  type FieldId,
  type FieldShape,
  type ObjectId,
} from '#kernel/records/index.ts'
import type { ComponentIdentity } from '../ports/identities.ts'
import type { OrgReader } from '../ports/org-store.ts'
import { channelLosses } from './channel-losses.ts'

type Reader = Pick<OrgReader, 'identities' | 'recordFacts'>
type ObjectField = LocalObjectBody['fields'][number]

export interface LossTerms {
  /** The generation from which a rollback or a revert brings fields back. */
  restoresFrom: number | null
  /** Removed components whose losses the author confirms. */
  confirmed: ReadonlySet<ComponentId>
}

export function recordLosses(
  reader: Reader,
  base: number,
  changes: readonly Change[],
  { restoresFrom, confirmed }: LossTerms,
): Finding[] {
  const renames = renamesOf(changes)
  const losses = changes.flatMap((change) => {
    if (!change.id.startsWith('object/') || change.kind === 'added') return []
    const from = change.kind === 'renamed' ? change.from : change.id
    const object = reader.identities.at(base, from) as ObjectId | undefined
    const before = change.before.body as ObjectBody
    if (object === undefined || before.storage !== 'local') return []
    const count = reader.recordFacts.count(object)
    if (count === 0) return []
    if (change.kind === 'removed') return [objectLost(change.id, count)]
    const after = change.after.body as ObjectBody
    if (after.storage !== 'local') return [objectLost(change.id, count)]
    return fieldLosses({ reader, base, object, renames, change, before, after, restoresFrom })
  })
  return [...losses, ...channelLosses(reader, base, changes, confirmed)]
}

interface ChangedObject {
  reader: Reader
  base: number
  object: ObjectId
  renames: ReadonlyMap<ComponentId, ComponentId>
  change: Exclude<Change, { kind: 'added' | 'removed' }>
  before: LocalObjectBody
  after: LocalObjectBody
  restoresFrom: number | null
}

function fieldLosses(changed: ChangedObject): Finding[] {
  const { reader, base, object, renames, change, before, after, restoresFrom } = changed
  const { id, hints } = change
  const key = (change.kind === 'renamed' ? change.from : id).slice('object/'.length)
  const ids = reader.identities.fields(base, key)
  const restored = restoredFields(reader, restoresFrom, object)
  const next = nextIds(reader, base, renames, { ids, before, after, restored })
  const entered = new Set(after.fields.flatMap((field) => (isEntered(field) ? [next.get(field.key)!] : [])))
  const losses = before.fields.flatMap((field): Finding[] => {
    const fieldId = ids.get(field.key)!
    if (!isEntered(field) || entered.has(fieldId)) return []
    const count = reader.recordFacts.countValues(object, fieldId)
    return count === 0 ? [] : [valuesLost(id, field, count, hints.breaking === true)]
  })
  const wereUnique = new Set(before.fields.flatMap((field) => (field.unique ? [ids.get(field.key)!] : [])))
  const duplicates = after.fields.flatMap((field, index): Finding[] => {
    const fieldId = next.get(field.key)!
    if (!field.unique || fieldId === created || wereUnique.has(fieldId)) return []
    const count = reader.recordFacts.countDuplicates(object, fieldId)
    return count === 0 ? [] : [duplicated(id, index, field, count)]
  })
  return [...losses, ...duplicates]
}

function renamesOf(changes: readonly Change[]): Map<ComponentId, ComponentId> {
  return new Map(changes.flatMap((change) => (change.kind === 'renamed' ? [[change.id, change.from]] : [])))
}

/** The identity of a field that a change adds. */
const created = -1 as FieldId

/** The identities of the fields of a local object after a change, by key. */
export function fieldIdsAfter(
  reader: Pick<OrgReader, 'identities'>,
  base: number,
  changes: readonly Change[],
  change: Exclude<Change, { kind: 'added' | 'removed' }>,
  restoresFrom: number | null,
): ReadonlyMap<string, FieldId> {
  const from = change.kind === 'renamed' ? change.from : change.id
  const [before, after] = [change.before.body, change.after.body] as LocalObjectBody[]
  const ids = reader.identities.fields(base, from.slice('object/'.length))
  const object = reader.identities.at(base, from) as ObjectId | undefined
  const restored = object === undefined ? [] : restoredFields(reader, restoresFrom, object)
  return nextIds(reader, base, renamesOf(changes), { ids, before: before!, after: after!, restored })
}

function restoredFields(
  { identities }: Pick<OrgReader, 'identities'>,
  restoresFrom: number | null,
  object: ObjectId,
): readonly EarlierField[] {
  return restoresFrom === null
    ? []
    : identities.fieldsOf(restoresFrom, object as unknown as ComponentIdentity)
}

interface FieldsOfChange {
  /** The fields that come back. */
  restored: readonly EarlierField[]
  ids: ReadonlyMap<string, FieldId>
  before: LocalObjectBody
  after: LocalObjectBody
}

function nextIds(
  reader: Pick<OrgReader, 'identities'>,
  base: number,
  renames: ReadonlyMap<ComponentId, ComponentId>,
  { ids, before, after, restored }: FieldsOfChange,
): ReadonlyMap<string, FieldId> {
  const targetBy =
    (keyAt: (object: ComponentId) => ComponentId) =>
    ({ references }: FieldShape): ObjectId | null =>
      references === undefined
        ? null
        : ((reader.identities.at(base, keyAt(componentId('object', references))) ?? null) as ObjectId | null)
  const earlier = earlierFields(
    before.fields,
    ids,
    targetBy((object) => object),
  )
  const targetOf = targetBy((object) => renames.get(object) ?? object)
  return nextFieldIds(earlier, after.fields, targetOf, () => created, restored)
}

const isEntered = ({ formula, rollup }: ObjectField): boolean => formula === undefined && rollup === undefined

function objectLost(id: ComponentId, count: number): Finding {
  return finding(
    'object.records_lost',
    id,
    '',
    `${records(count)} of ${id.slice('object/'.length)} would be lost.`,
  )
}

function valuesLost(
  id: ComponentId,
  { key, label = key }: ObjectField,
  count: number,
  isConfirmed: boolean,
): Finding {
  const message = `The values of ${label} in ${records(count)} ${isConfirmed ? 'are' : 'would be'} lost.`
  return {
    ...finding('object.values_lost', id, '/body/fields', message),
    severity: isConfirmed ? 'warning' : 'error',
  }
}

function duplicated(
  id: ComponentId,
  index: number,
  { key, label = key }: ObjectField,
  count: number,
): Finding {
  const values = count === 1 ? '1 value occurs' : `${count.toLocaleString('en')} values occur`
  const message = `${label} cannot be unique, because ${values} in more than one record.`
  return finding('object.duplicate_values', id, `/body/fields/${index}/unique`, message)
}

const records = (count: number): string =>
  count === 1 ? '1 record' : `${count.toLocaleString('en')} records`

function finding(code: FindingCode, component: ComponentId, path: string, message: string): Finding {
  return { severity: 'error', code, component, path, message, related: [] }
}
