// Builds completion items from metadata and the table of built-ins.
import type { ExprType } from '../../components/expression-slot.ts'
import type { ComponentView } from '../../components/view.ts'
import { builtIns, signatureText } from '../functions.ts'
import { fieldOf, objectOf, type NameScope } from '../names.ts'
import type { DeclaredMember } from '../service-values.ts'
import { isCompatible, typeName, typeOfField, typeOfParam } from '../type-names.ts'

export interface CompletionItem {
  label: string
  kind:
    | 'field'
    | 'input'
    | 'set'
    | 'set_field'
    | 'key'
    | 'member'
    | 'flag'
    | 'function'
    | 'calc_function'
    | 'method'
    | 'root'
  /** The text to insert; the cursor goes to `|`, if there is one. */
  insert: string
  /** The type, or a function's signature. */
  type: string
  doc: string
}

const MOST_KEYS = 200

export function topLevelItems(scope: NameScope, view: ComponentView): CompletionItem[] {
  const inputs = scope.params.map(({ key, type }) =>
    item('input', key, typeName(typeOfParam(type)), `Input ${key}.`),
  )
  const calls = scope.calls.map(({ action }) =>
    item('input', action, 'result of a call', `The result of ${action}: its status and body.`, `${action}.`),
  )
  const roots = [
    item(
      'root',
      'config',
      'configuration',
      'Configuration sets: config.<set>.<field>, config.<set>(<key>).<field>.',
      'config.',
    ),
    item('root', 'flag', 'flags', 'Feature flags: flag.<key> is true or false.', 'flag.'),
    ...(scope.hasPrior ? priorItems : []),
    ...(scope.hasId && scope.object !== null && fieldOf(view, scope.object, 'id') === undefined
      ? [idItem]
      : []),
  ]
  const functions = builtIns
    .filter(({ form }) => form !== 'method')
    .map((each) =>
      item(
        'function',
        each.name,
        signatureText(each),
        `${each.doc} Example: ${each.example}`,
        `${each.name}(|)`,
      ),
    )
  return [
    ...inputs,
    ...calls,
    ...(scope.object === null ? [] : fieldItems(view, scope.object)),
    ...roots,
    ...calcItems(view),
    ...functions,
  ]
}

const idItem = item('root', 'id', 'record', 'The id of the record.')

/** What a rule or automation reads of the save that runs it. */
const priorItems = [
  item(
    'root',
    'prior',
    'record',
    'The record before the save: prior.<field>; absent if it is new.',
    'prior.',
  ),
  item('root', 'isNew', 'boolean', 'Whether the save adds the record.'),
  item(
    'function',
    'changed',
    'changed(field): boolean',
    'Whether the save changes the field; in a new record, whether it has a value. Example: changed(amount).',
    'changed(|)',
  ),
]

export function fieldItems(view: ComponentView, object: string): CompletionItem[] {
  const fields = objectOf(view, object)?.body.fields ?? []
  return fields.map(({ key, type, references, label }) =>
    item('field', key, typeName(typeOfField(type, references)), label ?? `Field of ${object}.`),
  )
}

/** A name that is not an identifier is written in brackets, which nothing completes. */
export function memberItems(members: readonly DeclaredMember[]): CompletionItem[] {
  return members
    .filter(({ key }) => /^[A-Za-z_]\w*$/.test(key))
    .map(({ key, type, description }) => item('member', key, typeName(type), description ?? ''))
}

export function setItems(view: ComponentView): CompletionItem[] {
  return [...view.list('config_set')].map(({ key, label, body }) => {
    const keyed = body.keyedBy === undefined ? '' : ` by ${body.keyedBy.key}`
    return item(
      'set',
      key,
      body.cardinality + keyed,
      label,
      body.cardinality === 'keyed' ? `${key}(|)` : `${key}.`,
    )
  })
}

export function setFieldItems(view: ComponentView, set: string): CompletionItem[] {
  const fields = view.get('config_set', set)?.body.fields ?? []
  return fields.map(({ key, type, label, help }) =>
    item(
      'set_field',
      key,
      typeName(typeOfField(type)),
      [label, help].filter(Boolean).join(': ') || `Field of ${set}.`,
    ),
  )
}

/** Returns business keys that have an entry, up to a limit. */
export function keyItems(view: ComponentView, set: string): CompletionItem[] {
  const keys = new Set<string>()
  for (const { body } of view.entriesOf(set)) {
    if (body.key !== undefined) keys.add(body.key)
    if (keys.size >= MOST_KEYS) break
  }
  return [...keys].sort().map((key) => item('key', key, 'key', `A key of ${set}.`))
}

export function flagItems(view: ComponentView): CompletionItem[] {
  return [...view.list('feature_flag')].map(({ key, label, body }) =>
    item('flag', key, 'boolean', `${label}. Expires on ${body.expiresOn}.`),
  )
}

export function methodItems(type: ExprType): CompletionItem[] {
  const fits = (pattern: unknown): boolean =>
    pattern === 'any' ||
    pattern === 'T' ||
    (pattern === 'list'
      ? type.kind === 'list'
      : typeof pattern === 'object' && isCompatible(type, pattern as ExprType))
  return builtIns
    .filter(({ form, overloads }) => form !== 'function' && overloads.some(({ params }) => fits(params[0])))
    .map((each) =>
      item(
        'method',
        each.name,
        signatureText(each),
        `${each.doc} Example: ${each.example}`,
        `${each.name}(|)`,
      ),
    )
}

function calcItems(view: ComponentView): CompletionItem[] {
  return [...view.list('calc_function')].map(({ key, label, body }) => {
    const params = body.params.map((param) => `${param.key}: ${param.type}`).join(', ')
    return item('calc_function', key, `${key}(${params}): ${body.returns}`, label, `${key}(|)`)
  })
}

function item(
  kind: CompletionItem['kind'],
  label: string,
  type: string,
  doc: string,
  insert = label,
): CompletionItem {
  return { label, kind, insert, type, doc }
}
