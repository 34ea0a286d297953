// Checks the calls of a guided flow against their operations: parameters, returned values, the as-of date.
import type { AppBody, StepCall } from '../components/app/body.ts'
import type { ComponentOf } from '../components/body-types.ts'
import { paramTypeOf, type ParamType } from '../components/expression-slot.ts'
import { expressionSlots } from '../components/expression-slots.ts'
import type { ObjectFieldType } from '../components/field-types.ts'
import { objectFieldOf } from '../components/object/field-named.ts'
import { isComputed } from '../components/object/is-computed.ts'
import { pointer } from '../components/pointer.ts'
import { errorFinding } from '../components/report.ts'
import type { Finding } from '../errors/finding.ts'
import { didYouMean } from '../errors/suggest.ts'
import { compileExpression } from './compile.ts'
import type { Library } from './library.ts'

type App = ComponentOf<'app'>
type Flow = AppBody['flows'][number]
/** Below the call. */
type Fault = [steps: string[], message: string]

/** Names that do not exist are reported as references. */
export function stepCallFindings(app: App, library: Library): Finding[] {
  return app.body.flows.flatMap((flow, at) =>
    flow.steps.flatMap(({ invoke }, index) =>
      (invoke === undefined ? [] : faultsOf(flow, invoke, library)).map(([steps, message]) => {
        const place = pointer('body', 'flows', at, 'steps', index, 'invoke', ...steps)
        return errorFinding(app, place, 'placement.invoke', message)
      }),
    ),
  )
}

function faultsOf(flow: Flow, call: StepCall, library: Library): Fault[] {
  const operation = library.view.get('automation', call.operation)
  if (operation === undefined) return []
  const { phase } = operation.body
  if (phase !== 'invocable')
    return [
      [['operation'], `${call.operation} runs at ${phase}, so it cannot be called. Choose an invocable one.`],
    ]
  const { returned, isDated } = compiledOperation(operation, library)
  const params = new Map(operation.body.params.map(({ key, type }) => [key, type]))
  return [
    ...missingParams(call, params),
    ...namedFaults('args', 'parameter', { flow, call, types: params }, library),
    ...namedFaults('into', 'returned value', { flow, call, types: returned }, library),
    ...asOfFaults(flow, call, isDated, library),
  ]
}

interface CompiledOperation {
  /** A value whose expression does not compile has no type. */
  returned: Map<string, ParamType | null>
  isDated: boolean
}

function compiledOperation(operation: ComponentOf<'automation'>, library: Library): CompiledOperation {
  const returned = new Map<string, ParamType | null>()
  let isDated = false
  for (const { source, site, expects } of expressionSlots(operation)) {
    const compiled = compileExpression(source, site, library.view, expects, library)
    if (compiled.ok && compiled.program.dated) isDated = true
    if (site.kind !== 'automation' || site.into?.kind !== 'return') continue
    returned.set(site.into.name, compiled.ok ? paramTypeOf(compiled.program.type.kind) : null)
  }
  return { returned, isDated }
}

function missingParams({ operation, args }: StepCall, params: ReadonlyMap<string, ParamType>): Fault[] {
  const missing = [...params.keys()].filter((name) => !Object.hasOwn(args, name))
  if (missing.length === 0) return []
  return [
    [
      ['args'],
      `${operation} also has ${missing.length === 1 ? 'the parameter' : 'the parameters'} ${missing.join(', ')}. Name a field for each.`,
    ],
  ]
}

const valueTypes: Readonly<Record<ObjectFieldType, ParamType>> = {
  ...{ number: 'number', text: 'text', enum: 'text', reference: 'text' },
  ...{ boolean: 'boolean', date: 'date', datetime: 'datetime' },
}

function namedFaults(
  property: 'args' | 'into',
  what: string,
  { flow, call, types }: { flow: Flow; call: StepCall; types: ReadonlyMap<string, ParamType | null> },
  { view }: Library,
): Fault[] {
  const object = view.get('object', flow.object)
  return Object.entries(call[property]).flatMap(([name, fieldName]): Fault[] => {
    if (!types.has(name))
      return [
        [
          [property, name],
          `${call.operation} has no ${what} "${name}".${didYouMean(name, [...types.keys()])}`,
        ],
      ]
    const field = object === undefined ? undefined : objectFieldOf(object, fieldName)
    const type = types.get(name)
    if (field === undefined || type === null) return []
    if (isComputed(field))
      return [
        [
          [property, name],
          `${field.key} is computed, and a draft has only what was entered. Name a different field.`,
        ],
      ]
    if (valueTypes[field.type] === type) return []
    return [
      [
        [property, name],
        `${field.key} is of type ${field.type}, but the ${what} ${name} is of type ${type}.`,
      ],
    ]
  })
}

function asOfFaults(flow: Flow, { operation, asOf }: StepCall, isDated: boolean, { view }: Library): Fault[] {
  if (asOf === undefined)
    return isDated
      ? [[[], `${operation} reads an effective-dated set. Add "asOf" with a date field of ${flow.object}.`]]
      : []
  const object = view.get('object', flow.object)
  const field = object === undefined ? undefined : objectFieldOf(object, asOf)
  if (field === undefined || (field.type === 'date' && !isComputed(field))) return []
  return [[['asOf'], `${field.key} is not a date that is entered. Name a date field without a formula.`]]
}
