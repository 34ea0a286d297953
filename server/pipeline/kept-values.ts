// Changed formulas and roll-ups whose stored values keep the earlier one until their records are recomputed.
import { canonicalJson, type JsonValue } from '#kernel/change/canonical.ts'
import type { Change } from '#kernel/change/index.ts'
import { splitId } from '#kernel/components/component.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import type { LocalObjectBody, ObjectBody } from '#kernel/components/object/body.ts'
import type { Finding } from '#kernel/errors/finding.ts'
import type { ObjectId } from '#kernel/records/index.ts'
import type { OrgReader } from '../ports/org-store.ts'
import { fieldIdsAfter } from './record-losses.ts'

type Reader = Pick<OrgReader, 'identities' | 'recordFacts'>
type ObjectField = LocalObjectBody['fields'][number]

interface KeptInput {
  base: number
  /** The base with the renames of the list, so that a formula that only follows one counts as the same. */
  renamedBase: ComponentView
  changes: readonly Change[]
  /** The generation from which a rollback or a revert brings fields back. */
  restoresFrom: number | null
}

export function keptValues(
  reader: Reader,
  { base, renamedBase, changes, restoresFrom }: KeptInput,
): Finding[] {
  return changes.flatMap((change): Finding[] => {
    if (!change.id.startsWith('object/') || change.kind === 'added' || change.kind === 'removed') return []
    const [before, after] = [change.before.body as ObjectBody, change.after.body as ObjectBody]
    const from = change.kind === 'renamed' ? change.from : change.id
    const object = reader.identities.at(base, from) as ObjectId | undefined
    if (object === undefined || before.storage !== 'local' || after.storage !== 'local') return []
    const count = reader.recordFacts.count(object)
    if (count === 0) return []
    const ids = reader.identities.fields(base, from.slice('object/'.length))
    const next = fieldIdsAfter(reader, base, changes, change, restoresFrom)
    const key = splitId(change.id).key
    const renamed = renamedBase.get('object', key)?.body
    const declared = renamed?.storage === 'local' ? renamed.fields : before.fields
    // A rename changes no key of a field, and not their order.
    const earlier = new Map(before.fields.map((field, at) => [ids.get(field.key), declared[at]!]))
    return after.fields.flatMap((field, index) => {
      const known = earlier.get(next.get(field.key))
      return known === undefined || !isOtherwiseComputed(known, field)
        ? []
        : [kept(change.id, index, field, count)]
    })
  })
}

/** A value that is stored before and after, and is computed from a different declaration. */
function isOtherwiseComputed(before: ObjectField, after: ObjectField): boolean {
  const [was, is] = [storedDeclaration(before), storedDeclaration(after)]
  return was !== null && is !== null && was !== is
}

function storedDeclaration({ formula, rollup }: ObjectField): string | null {
  if (rollup !== undefined) return canonicalJson(rollup as unknown as JsonValue)
  return formula?.stored === true ? formula.expression : null
}

function kept(id: Change['id'], index: number, { key, label = key }: ObjectField, count: number): Finding {
  const values =
    count === 1
      ? `1 stored value of ${label} keeps`
      : `${count.toLocaleString('en')} stored values of ${label} keep`
  return {
    ...{ severity: 'info', code: 'object.values_kept', component: id, path: `/body/fields/${index}` },
    message: `${values} the earlier formula until ${count === 1 ? 'its record is' : 'their records are'} recomputed. If it reads no configuration, the next save of a record computes its value too.`,
    related: [],
  }
}
