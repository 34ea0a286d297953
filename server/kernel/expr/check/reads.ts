// Checks names: variables, inputs, fields along references, `config.…` and `flag.…`
// (docs/reference/resolution-and-dates.md).
import type { ConfigField } from '../../components/config-set/body.ts'
import { builtIns, builtInOf } from '../functions.ts'
import { fieldKeys, fieldOf, isPriorRoot, objectOf } from '../names.ts'
import { typeOfCall } from '../service-values.ts'
import type { ASTNode } from '../parse.ts'
import { booleanType, isCompatible, dynType, typeName, typeOfField, typeOfParam } from '../type-names.ts'
import type { FieldStep, RowNode, Span, TypedExpression } from '../typed-tree.ts'
import {
  isRoot,
  reportMistake,
  nearestName,
  reportProblem,
  textOf,
  unknownName,
  type Checker,
} from './checker.ts'
import { hasMembers, memberNode } from './members.ts'
import { spanOf } from './span.ts'

type NodeOf<O extends ASTNode['op']> = Extract<ASTNode, { op: O }>

export function checkName(checker: Checker, node: NodeOf<'id'>): TypedExpression {
  const span = spanOf(node)
  const name = node.args
  const slot = checker.locals.findLastIndex((local) => local.name === name)
  if (slot >= 0) return { op: 'local', slot, type: checker.locals[slot]!.type, ...span }
  if (name === 'config')
    return reportMistake(checker, 'expr.syntax', span, 'config is not a value: write config.<set>.<field>.')
  if (name === 'flag')
    return reportMistake(checker, 'expr.syntax', span, 'flag is not a value: write flag.<key>.')
  const { params, object, hasPrior, hasId } = checker.scope
  const param = params.find(({ key }) => key === name)
  if (param !== undefined) return { op: 'input', name, type: typeOfParam(param.type), ...span }
  const call = checker.scope.calls.find(({ action }) => action === name)
  if (call !== undefined) return { op: 'input', name, type: typeOfCall(checker.view, call), ...span }
  if (object !== null && fieldOf(checker.view, object, name) !== undefined)
    return fieldNode(checker, recordOf(object), name, span)
  const owner = object === null ? undefined : objectOf(checker.view, object)
  if (hasId && name === 'id' && owner !== undefined)
    return { op: 'record_id', type: { kind: 'record', object: owner.key }, ...span }
  if (hasPrior && name === 'isNew') return { op: 'is_new', type: booleanType, ...span }
  if (hasPrior && name === 'prior')
    return reportMistake(checker, 'expr.syntax', span, 'prior is not a value: write prior.<field>.')
  return unknownBareName(checker, name, span)
}

function unknownBareName(checker: Checker, name: string, span: Span): TypedExpression {
  const { view, scope } = checker
  const instead = view.has('config_set', name)
    ? `config.${name}`
    : view.has('feature_flag', name)
      ? `flag.${name}`
      : null
  if (instead !== null)
    return reportMistake(
      checker,
      'expr.unknown_name',
      span,
      `"${name}" is configuration: write ${instead}.`,
      {
        suggestion: instead,
      },
    )
  if (builtInOf(name) !== undefined || view.has('calc_function', name))
    return reportMistake(
      checker,
      'expr.unknown_name',
      span,
      `"${name}" is a function: write its arguments in parentheses.`,
    )
  const place =
    scope.object !== null
      ? ` It is not a field of ${scope.object}.`
      : scope.params.length > 0
        ? ' It is not a declared input.'
        : ''
  const names = [
    ...checker.locals.map((local) => local.name),
    ...scope.params.map(({ key }) => key),
    ...scope.calls.map(({ action }) => action),
    ...(scope.object === null ? [] : fieldKeys(view, scope.object)),
    'config',
    'flag',
    ...(scope.hasPrior ? ['prior', 'isNew'] : []),
    ...(scope.hasId ? ['id'] : []),
    ...builtIns.filter(({ form }) => form !== 'method').map((builtIn) => builtIn.name),
    ...view.keys('calc_function'),
  ]
  return unknownName(checker, span, `The name "${name}" is unknown.${place}`, name, names)
}

export function checkSelect(checker: Checker, node: NodeOf<'.'>): TypedExpression {
  const [base, name] = node.args
  const at: Span = { start: node.pos, end: node.end }
  if (isRoot(checker, base, 'config')) return rowNode(checker, spanOf(node), name, at, null)
  if (isRoot(checker, base, 'flag')) return flagNode(checker, spanOf(node), name, at)
  if (isRoot(checker, base, 'prior') && isPriorRoot('prior', checker.scope, checker.view))
    return fieldNode(checker, { ...recordOf(checker.scope.object!), prior: true }, name, spanOf(node), at)
  const of = checker.check(checker, base)
  if (of.op === 'row') return configNode(checker, of, name, at)
  if (of.op === 'field' && of.type.kind === 'record')
    return fieldNode(checker, { ...of, object: of.type.object }, name, { start: of.start, end: node.end }, at)
  if (of.op === 'record_id')
    return reportMistake(
      checker,
      'expr.type',
      spanOf(node),
      `id is the id of the record itself: write ${name}.`,
      {
        suggestion: name,
      },
    )
  if (of.op === 'error') return { op: 'error', parts: [of], type: dynType, ...spanOf(node) }
  if (hasMembers(of.type)) return memberNode(checker, of, name, spanOf(node), at)
  const method = builtInOf(name)
  const way = method !== undefined ? ` To call ${name}, add parentheses.` : ''
  return reportMistake(checker, 'expr.type', at, `A ${typeName(of.type)} has no field "${name}".${way}`, {
    node: spanOf(node),
    parts: [of],
  })
}

/** A record whose fields can be read. */
interface RecordPath {
  object: string
  /** What leads to it from the record of the expression. */
  steps: readonly FieldStep[]
  prior: boolean
}

const recordOf = (object: string): RecordPath => ({ object, steps: [], prior: false })

/** Checks one step along a record's fields. `at` is the span of the name, `span` of the whole path. */
function fieldNode(
  checker: Checker,
  { object, steps: before, prior }: RecordPath,
  name: string,
  span: Span,
  at: Span = span,
): TypedExpression {
  const field = fieldOf(checker.view, object, name)
  const owner = objectOf(checker.view, object)
  if (owner === undefined || field === undefined) {
    // The step is kept for the reference graph: it shows which field would fix the expression.
    unknownName(checker, at, `${object} has no field "${name}".`, name, fieldKeys(checker.view, object))
    const steps = [...before, { object, field: name, ...at }]
    return { op: 'field', steps, prior, type: dynType, ...span }
  }
  const last = before.at(-1)
  if (last !== undefined) requireStored(checker, last)
  const steps = [...before, { object: owner.key, field: field.key, ...at }]
  return { op: 'field', steps, prior, type: typeOfField(field.type, field.references), ...span }
}

/** A path follows a reference as it is stored: one that is computed when it is read leads to no loaded record. */
function requireStored(checker: Checker, { object, field, ...at }: FieldStep): void {
  if (fieldOf(checker.view, object, field)?.formula?.stored !== false) return
  const message = `${object}.${field} is a virtual formula, which is computed when it is read, so a path cannot lead through it. Store the formula.`
  reportProblem(checker, 'expr.type', at, message)
}

function flagNode(checker: Checker, span: Span, flag: string, name: Span): TypedExpression {
  const node: TypedExpression = { op: 'flag', flag, name, type: booleanType, ...span }
  if (checker.view.has('feature_flag', flag)) return node
  if (checker.view.has('config_set', flag)) {
    reportProblem(
      checker,
      'expr.unknown_name',
      span,
      `"${flag}" is a configuration set, not a flag: write config.${flag}.`,
      `config.${flag}`,
    )
    return node
  }
  const nearest = nearestName(checker.problems, flag, checker.view.keys('feature_flag'))
  reportProblem(
    checker,
    'expr.unknown_name',
    name,
    `The flag "${flag}" does not exist.${didYouMeanText(nearest)}`,
    nearest ?? undefined,
  )
  return node
}

/** Checks `config.<set>` or `config.<set>(<key>)`. Reports a key that does not match the set's cardinality. */
export function rowNode(
  checker: Checker,
  span: Span,
  set: string,
  name: Span,
  key: TypedExpression | null,
): TypedExpression<RowNode> {
  const row: TypedExpression<RowNode> = { op: 'row', set, name, key, type: { kind: 'row', set }, ...span }
  const definition = checker.view.get('config_set', set)
  if (definition === undefined) {
    reportUnknownSet(checker, span, set, name)
    return row
  }
  const { cardinality, keyedBy } = definition.body
  if (cardinality === 'singleton') {
    if (key !== null)
      reportProblem(
        checker,
        'expr.set_key',
        span,
        `${set} is a singleton and has no key: write config.${set}.`,
        `config.${set}`,
      )
    return row
  }
  const keyName = keyedBy?.key ?? 'key'
  if (key === null) {
    reportProblem(
      checker,
      'expr.set_key',
      span,
      `${set} is keyed by ${keyName}: write config.${set}(<${keyName}>).<field>.`,
    )
    return row
  }
  const expectedType = typeOfField(keyedBy?.type ?? 'text')
  if (!isCompatible(key.type, expectedType))
    reportProblem(
      checker,
      'expr.type',
      key,
      `${set} is keyed by ${keyName}, a ${typeName(expectedType)}; this is a ${typeName(key.type)}.`,
    )
  return row
}

function reportUnknownSet(checker: Checker, span: Span, set: string, name: Span): void {
  if (checker.view.has('feature_flag', set))
    return reportProblem(
      checker,
      'expr.unknown_name',
      span,
      `"${set}" is a flag: write flag.${set}.`,
      `flag.${set}`,
    )
  const nearest = nearestName(checker.problems, set, checker.view.keys('config_set'))
  reportProblem(
    checker,
    'expr.unknown_name',
    name,
    `The configuration set "${set}" does not exist.${didYouMeanText(nearest)}`,
    nearest ?? undefined,
  )
}

function configNode(
  checker: Checker,
  row: TypedExpression<RowNode>,
  name: string,
  at: Span,
): TypedExpression {
  const definition = checker.view.get('config_set', row.set)
  const span = { start: row.start, end: at.end }
  const node = { op: 'config' as const, row, field: name, name: at, ...span }
  // The set itself is unknown and reported; the read still counts for the reference graph.
  if (definition === undefined) return { ...node, type: dynType }
  const fields: readonly ConfigField[] = definition.body.fields
  const field = fields.find(({ key }) => key === name)
  if (field !== undefined) return { ...node, type: typeOfField(field.type) }
  const nearest = nearestName(
    checker.problems,
    name,
    fields.map(({ key }) => key),
  )
  const list =
    fields.length === 0
      ? ''
      : ` Its fields are ${fields
          .slice(0, 12)
          .map(({ key }) => key)
          .join(', ')}.`
  reportProblem(
    checker,
    'expr.unknown_name',
    at,
    `${row.set} has no field "${name}".${didYouMeanText(nearest) || list}`,
    nearest ?? undefined,
  )
  return { ...node, type: dynType }
}

/** Reports a row that is used as a value. */
export function refuseRow(checker: Checker, row: TypedExpression<RowNode>): TypedExpression {
  const fields = checker.view.get('config_set', row.set)?.body.fields ?? []
  if (!checker.problems.some(({ start, end }) => start >= row.start && end <= row.end)) {
    const example = `${textOf(checker, row)}.${fields[0]?.key ?? '<field>'}`
    reportProblem(
      checker,
      'expr.type',
      row,
      `${textOf(checker, row)} is a whole row: read one field of it, such as ${example}.`,
    )
  }
  return { op: 'error', parts: [row], type: dynType, start: row.start, end: row.end }
}

function didYouMeanText(nearest: string | null): string {
  return nearest === null ? '' : ` Did you mean "${nearest}"?`
}
