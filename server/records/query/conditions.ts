// Filters and rights as conditions that the store applies.
import type { FieldValue } from '#kernel/components/field-types.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { configurationInput } from '#kernel/config/index.ts'
import {
  type FieldPath,
  fieldPathsOf,
  valueToJson,
  type Filter,
  type FilterField,
  type FilterPlan,
} from '#kernel/expr/index.ts'
import { filterPlan, objectPrograms, rowPrograms } from '#kernel/records/index.ts'
import {
  always,
  type ComparisonOperator,
  type Condition,
  type FollowedReference,
  type QueryField,
} from '../../ports/record-query.ts'
import { virtualObjectOf } from '../../virtual/index.ts'
import { pathOf } from '../read/projection.ts'
import { rowFilterOf } from '../remote/row-filter-of.ts'
import type { RecordCaller } from '../read/record-caller.ts'

/** Whether a condition is the caller's, who sees only what they can read, or a rule of the org, which reads everything. */
type Reads = 'as_caller' | 'everything'

const never: Condition = { op: 'constant', value: false }

/** The reasons for which the caller can see records of an object; none without the right to read it. */
export function visibleBecause(caller: RecordCaller, object: string): Condition[] {
  const { access, present } = caller
  if (!access.may(object, 'read')) return []
  if (access.accessToAll(object) !== 'none') return [always]
  const programs = objectPrograms(present.view, object)!
  const { ownerField, rules } = programs.body.sharing
  const owner = ownerField === undefined ? undefined : programs.field(ownerField)
  const reasons: Condition[] = []
  if (owner !== undefined) {
    const left = { via: [], field: present.names.fieldIds(object).get(owner.key)! }
    reasons.push({ op: 'compare', operator: '==', left, right: { value: access.user } })
  }
  for (const rule of rules)
    if (access.holds(rule.permissionSet))
      reasons.push(
        conditionOf(
          caller,
          filterPlan(rule.when, { kind: 'sharing_rule', object }, present.view),
          'everything',
        ),
      )
  return reasons
}

/** @throws AlmanacError `expression.invalid`, `config.unknown_set`, `access.denied` */
export function filterCondition(caller: RecordCaller, object: string, filter: string | undefined): Condition {
  return filter === undefined ? always : conditionOf(caller, callersPlan(caller, object, filter), 'as_caller')
}

/** The fields that a filter reads. @throws AlmanacError as `filterCondition` */
export function filterFields(
  caller: RecordCaller,
  object: string,
  filter: string | undefined,
): readonly FilterField[] {
  return filter === undefined ? [] : callersPlan(caller, object, filter).fields
}

/**
 * Whether the caller can read everything that a filter of a different author reads. For the caller, `id` can be the id of the
 * record and not the field of this name.
 */
export function canReadFilter(caller: RecordCaller, object: string, filter: string | undefined): boolean {
  if (filter === undefined) return true
  const programs = rowPrograms(caller.present.view, object)!
  const paths = fieldPathsOf(filter, { kind: 'list_filter', object }, caller.present.view)
  const isReadable = ({ path }: FieldPath): boolean =>
    Array.isArray(pathOf(caller, programs, path.join('.'), 'readable'))
  if (!paths.every(isReadable)) return false
  try {
    if (programs.isVirtual) rowFilterOf(caller, virtualObjectOf(caller.present.view, object)!, filter)
    else callersPlan(caller, object, filter)
    return true
  } catch (error) {
    if (error instanceof AlmanacError) return false
    throw error
  }
}

/**
 * A filter is outside of logic: its matches would reveal the fields and the configuration that it reads, so it reads
 * what the caller can read.
 */
function callersPlan({ access }: RecordCaller, object: string, filter: string): FilterPlan {
  const plan = filterPlan(filter, { kind: 'list_filter', object }, access.readableView())
  const { deepSets, deepFlags } = plan.reads
  for (const set of [...deepSets.map((read) => read.set), ...deepFlags]) access.requireValues(set)
  return plan
}

function conditionOf(caller: RecordCaller, plan: FilterPlan, reads: Reads): Condition {
  const { present, scopePath } = caller
  const filter = plan.filter(configurationInput({ asOf: null, scopePath }, present.slice))
  return translate(caller, filter, reads)
}

function translate(caller: RecordCaller, filter: Filter, reads: Reads): Condition {
  const field = (of: FilterField): QueryField => queryField(caller, of, reads)
  switch (filter.op) {
    case 'constant':
      return filter.value ? always : never
    case 'and':
    case 'or':
      return {
        op: filter.op,
        parts: [filter.left, filter.right].map((part) => translate(caller, part, reads)),
      }
    case 'not':
      return { op: 'not', of: translate(caller, filter.of, reads) }
    case 'compare':
      return comparison(caller, filter, reads)
    case 'in':
      return {
        op: 'in',
        field: field(filter.field),
        values: filter.values.map((value) => valueToJson(value) as FieldValue),
      }
    case 'present':
    case 'is_true':
      return { op: filter.op, field: field(filter.field) }
    default:
      return { op: filter.op, field: field(filter.field), text: filter.text }
  }
}

const flipped: Readonly<Record<ComparisonOperator, ComparisonOperator>> = {
  '==': '==',
  '!=': '!=',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
}

function comparison(
  caller: RecordCaller,
  { operator, left, right }: Extract<Filter, { op: 'compare' }>,
  reads: Reads,
): Condition {
  if ('value' in left)
    return comparison(caller, { op: 'compare', operator: flipped[operator], left: right, right: left }, reads)
  const field = queryField(caller, left.field, reads)
  if ('field' in right)
    return { op: 'compare', operator, left: field, right: { field: queryField(caller, right.field, reads) } }
  // A comparison with an absent value is false.
  if (right.value === null) return never
  return { op: 'compare', operator, left: field, right: { value: valueToJson(right.value) as FieldValue } }
}

export function queryField(
  caller: RecordCaller,
  { steps, letterCase }: FilterField,
  reads: Reads,
): QueryField {
  const { names } = caller.present
  const idOf = ({ object, field }: FilterField['steps'][number]) => names.fieldIds(object).get(field)!
  const via = steps.slice(0, -1).map((step, index): FollowedReference => {
    const target = steps[index + 1]!.object
    const visible: Condition =
      reads === 'everything' ? always : { op: 'or', parts: visibleBecause(caller, target) }
    return { field: idOf(step), target: names.objectId(target)!, visible }
  })
  const last = steps.at(-1)
  return { via, field: last === undefined ? 'id' : idOf(last), letterCase }
}
